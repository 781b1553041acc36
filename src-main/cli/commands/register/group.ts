import type { Register } from '@shared/contract/memory'
import { MACHINES_HEADING, type CommandGroup } from '../../command'

export const registerGroup: CommandGroup = {
  name: 'register',
  aliases: ['registers'],
  defaultVerb: 'show',
  heading: MACHINES_HEADING,
  summary: 'The CPU’s registers',
}

/** Registers as data and as text. */
export const describeRegisters = (registers: readonly Register[]): { data: Record<string, number>; text: string } => ({
  data: Object.fromEntries(registers.map(({ name, value }) => [name, value])),
  text: registers
    .map(({ name, value, bits }) => {
      const digits = value.toString(16).toUpperCase()
      return `${name.padEnd(4)} $${digits.padStart(bits > 8 ? 4 : 2, '0')}`
    })
    .join('\n'),
})
