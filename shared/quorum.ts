/**
 * Returns how many of the assigned verifiers must report before a service has a decision by majority. Of two verifiers one
 * is enough: with both needed, the second would halve the availability that it was meant to raise. Of three or more it is
 * more than half.
 */
export const majorityOf = (assigned: number): number => (assigned === 2 ? 1 : Math.floor(assigned / 2) + 1)
