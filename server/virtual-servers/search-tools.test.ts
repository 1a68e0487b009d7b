import { describe, expect, test } from 'bun:test'

import { manyTools, questions } from '../../tests/support/many-tools.ts'
import { type ExposedTool, exposeTools } from './expose-tools.ts'
import { createFindTools } from './search-tools.ts'

/** A search over 500 tools, measured with 20 questions. */

const member = { service: 'mcpservers:many', prefix: '', others: 'allow', tools: [] } as const
const listed = manyTools.map((tool) => ({
  definition: { ...tool },
  changed: false,
  warnings: [],
  findings: [],
  refusal: null,
}))
const { tools } = exposeTools({ name: 'many', mode: 'searchable', members: [{ ...member, tools: [] }] }, [
  { tools: listed, source: null, away: null },
])
const find = createFindTools(tools)
const names = (found: readonly ExposedTool[]): string[] => found.map(({ definition }) => definition.name)

test('there are 500 tools of as many names', () => {
  expect(new Set(names(tools)).size).toBe(500)
})

/** Four characters a token, as elsewhere. */
const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4)

describe('of 20 questions', () => {
  const places = questions.map(([question, ...right]) => {
    const place = names(find(question)).findIndex((name) => right.includes(name))
    return { question, place }
  })

  test('at least 16 have a right tool first, and all but one among the first five', () => {
    const first = places.filter(({ place }) => place === 0)
    const amongFive = places.filter(({ place }) => place >= 0 && place < 5)
    const missed = places.filter(({ place }) => place !== 0)
    expect({ missed, isEnough: first.length >= 16 && amongFive.length >= 19 }).toMatchObject({
      isEnough: true,
    })
  })
})

test('what is not there finds nothing, and an empty question everything', () => {
  expect(find('zebra quagga')).toEqual([])
  expect(find(' ').length).toBe(500)
})

describe('questions in other scripts find tools that are described in them', () => {
  const described = {
    weather_zh: '查询指定城市的天气预报',
    event_zh: '在日历中创建一个新的事件',
    weather_ja: '指定した都市の天気予報を取得する',
    file_ja: 'ファイルを削除します',
    weather_th: 'ค้นหาสภาพอากาศของเมือง',
    weather_ru: 'Показывает прогноз погоды в городе',
    weather_ar: 'عرض حالة الطقس في المدينة',
  }
  const own = Object.entries(described).map(([name, description]) => ({
    definition: { name, description, inputSchema: {} },
    changed: false,
    warnings: [],
    findings: [],
    refusal: null,
  }))
  const exposed = exposeTools({ name: 'all', mode: 'searchable', members: [{ ...member, tools: [] }] }, [
    { tools: own, source: null, away: null },
  ])
  const search = createFindTools(exposed.tools)

  test.each([
    ['查询天气', 'weather_zh'],
    ['我想创建事件', 'event_zh'],
    ['東京の天気を取得', 'weather_ja'],
    ['削除', 'file_ja'],
    ['ﾌｧｲﾙ', 'file_ja'], // in half width
    ['สภาพอากาศ', 'weather_th'],
    ['прогноз погоды', 'weather_ru'],
    ['الطقس', 'weather_ar'],
  ])('%s', (question, name) => expect(names(search(question))[0]).toBe(name))
})

test('a list of all definitions takes an agent many times what a search takes', () => {
  const all = tokensOf(tools.map(({ definition }) => definition))
  expect(all).toBeGreaterThan(20_000)
})
