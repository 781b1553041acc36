import { expect, it } from 'vitest'
import { builtInNames } from '@shared/c64/labels/names'
import { placeHint } from './placeHint'

it.each([
  ['sprites', '$3000', 'Bank 0, pointer $C0 (192).'],
  ['sprites', '4040', 'Bank 1, pointer $01 (1).'],
  ['sprites', '$3001', 'Bank 0. The VIC-II shows sprites only from multiples of 64.'],
  ['bitmap', '$6000', 'Bank 1.'],
  ['bitmap', '$5000', 'Bank 1. The VIC-II shows a bitmap only from multiples of $2000.'],
  ['screen', '', 'Empty: where the VIC-II has it, with its colours and mode.'],
  ['screen', 'nowhere', 'Only the data is written there.'],
] as const)('%s at %s', (kind, typed, hint) => {
  expect(placeHint(kind, typed, builtInNames)).toBe(hint)
})
