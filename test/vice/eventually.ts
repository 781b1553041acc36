import { expect } from 'vitest'

/** Expects of what will be so soon. */
export const eventually = <Value>(look: () => Value) => expect.poll(look)
