import { addressesOf } from '../memoryMap'

/** Resolves names of addresses; several where a name is not unique. */
export interface ExpressionNames {
  find(name: string): readonly { readonly name: string; readonly address: number }[]
}

/** What every C64 has: zero page, vectors, the KERNAL's jump table, the chips' registers. */
export const c64Names: ExpressionNames = {
  find: (name) => addressesOf(name).map((address) => ({ name, address })),
}
