import { formatAddress } from '@shared/c64/address'
import { pinsOf } from '@shared/c64/banking'
import type { Register } from '@shared/contract/memory'
import { MACHINES_HEADING, type CommandGroup } from '../../command'
import { nameAddresses } from '../../place'
import type { Session } from '../../session'

export const registerGroup: CommandGroup = {
  name: 'register',
  aliases: ['registers'],
  defaultVerb: 'show',
  heading: MACHINES_HEADING,
  summary: 'The CPU’s registers',
}

export const registersShape = {
  machine: 'the machine’s name',
  registers: 'each register’s value by its name',
  at: '{ address, name, source } of the program counter, or null',
}

export async function describeRegisters(
  session: Session,
  machine: string,
  registers: readonly Register[],
  signal: AbortSignal,
) {
  const pc = registers.find(({ name }) => name === 'PC')?.value
  const pins = pinsOf(registers)
  const place =
    pc === undefined ? undefined : (await nameAddresses(session, machine, { addresses: [pc], pins }, signal)).get(pc)
  const { name = null, called = null, source = null } = place ?? {}
  const notes = [called, source].filter((note) => note !== null)
  const rows = registers.map(({ name, value, bits }) => {
    const digits = value
      .toString(16)
      .toUpperCase()
      .padStart(bits > 8 ? 4 : 2, '0')
    return [name.padEnd(4), `$${digits}`, ...(name === 'PC' && notes.length > 0 ? ['', ...notes] : [])].join(' ')
  })
  return {
    data: {
      machine,
      registers: Object.fromEntries(registers.map(({ name, value }) => [name, value])),
      at: pc === undefined ? null : { address: formatAddress(pc), name, source },
    },
    text: rows.join('\n'),
  }
}
