import { otherMethods, statisticsBounds } from '../../../shared/usage.ts'

/** The number of methods told apart at an endpoint. Callers can invent names, so it is bounded. */
export const maxMethods = 200

/** The methods called at one endpoint, numbered from 1; 0 stands for all others. */
export interface MethodNames {
  numberOf(method: string): number
  nameOf(number: number): string
}

const isPlain = (method: string): boolean => /^[\x21-\x7e]+$/.test(method)

export function createMethodNames(): MethodNames {
  const numbers = new Map<string, number>()
  const names: string[] = [otherMethods]

  function add(method: string): number {
    if (names.length > maxMethods || method.length > statisticsBounds.methodChars || !isPlain(method))
      return 0
    const number = method === otherMethods ? 0 : names.push(method) - 1
    numbers.set(method, number)
    return number
  }

  return {
    numberOf: (method) => numbers.get(method) ?? add(method),
    nameOf: (number) => names[number] ?? otherMethods,
  }
}
