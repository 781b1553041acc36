import type { Connections, Port, Profile } from '@shared/contract/connections'
import type { MachineState } from '@shared/contract/machine'

export interface Row {
  readonly key: string
  readonly title: string
  readonly name: string
  readonly about: string
  /** Null for a port. */
  readonly machine: string | null
  /** Null where nobody has connected it. */
  readonly state: MachineState | null
  readonly profile: Profile | null
  readonly port: Port | null
}

export interface Group {
  readonly title: string
  readonly rows: readonly Row[]
  readonly empty: string | null
  readonly problems: readonly string[]
}

const nothingKnown: Connections = {
  profiles: [],
  network: { searching: true, searched: null, found: [], problem: null },
  vice: { executable: null, version: null, problem: null },
  serial: { ports: [], problem: null },
  configured: { machines: [], problems: [] },
}

export interface Offer {
  readonly machine: string
  readonly title: string
}

interface Offered {
  readonly recent: readonly Offer[]
  readonly usual: readonly Offer[]
}

/**
 * A machine is in one group only: with those that are kept or connected, else where it was found.
 * @param connections null until the bridge has reported them
 */
export function groupRows(
  machines: readonly MachineState[],
  connections: Connections | null,
  { recent = [], usual = [] }: Partial<Offered> = {},
): Group[] {
  const { profiles, network, vice, serial, configured } = connections ?? nothingKnown
  const emptyText = (text: string) => (connections === null ? 'Looking…' : text)
  const shown = new Set<string>()
  const machineRow = (machine: string, title: string): Row => {
    shown.add(machine)
    const state = machines.find((other) => other.machine === machine) ?? null
    const profile = profiles.find((other) => other.machine === machine) ?? null
    const found = network.found.find((other) => other.machine === machine)
    const sources = configured.machines.filter((other) => other.machine === machine).map(({ source }) => source)
    const about = [
      ...(machine === 'vice' && (state === null || state.connection === 'idle')
        ? [connections === null ? 'Looking for VICE…' : describeVice(vice)]
        : []),
      ...(state && state.title !== title ? [state.title] : []),
      ...(state && state.version !== null ? [state.version] : found ? [found.about] : []),
      ...(profile?.hasPassword ? ['password saved'] : found?.asksForPassword ? ['asks for a password'] : []),
      ...sources.map((source) => `in ${source}`),
    ].join(' · ')
    return { key: machine, title, name: machine, about, machine, state, profile, port: null }
  }
  const rest = (entries: readonly Offer[]) =>
    entries.filter(({ machine }) => !shown.has(machine)).map(({ machine, title }) => machineRow(machine, title))

  const kept = profiles.map(({ machine, title }) => machineRow(machine, title))
  const connected = rest(machines)
  const own = [...connected, ...kept, ...rest(usual)]
  const before = rest(recent)
  return [
    { title: 'Machines', rows: own, empty: null, problems: [] },
    ...(before.length === 0 ? [] : [{ title: 'Recent', rows: before, empty: null, problems: [] }]),
    {
      title: 'Found on your network',
      rows: rest(network.found),
      empty: describeSearch(network),
      problems: network.problem === null ? [] : [network.problem],
    },
    {
      title: 'Serial ports',
      rows: serial.ports.map((port) => portRow(port)),
      empty: serial.problem === null ? emptyText('No serial ports. Plug in a board, and it shows here.') : null,
      problems: serial.problem === null ? [] : [serial.problem],
    },
    {
      title: 'From c64bridge',
      rows: rest(configured.machines),
      empty: emptyText(
        configured.machines.length === 0
          ? 'No .c64bridge.json and none of its variables name a machine.'
          : 'Its machines are listed above.',
      ),
      problems: configured.problems,
    },
  ]
}

const describeVice = ({ executable, version, problem }: Connections['vice']): string =>
  executable === null ? (problem ?? 'Not found') : `Starts ${version ?? 'VICE'}, ${executable}`

function describeSearch({ searching, searched, found }: Connections['network']): string {
  if (searching) return 'Searching…'
  if (searched === null) return 'Not searched yet.'
  return found.length === 0
    ? 'No Ultimate answered. Its Ident Service may be switched off; its name or address can be typed above.'
    : 'Everything found is listed above.'
}

function portRow(port: Port): Row {
  const known = [port.vendor, port.product].filter((part) => part !== null).join(' ')
  return {
    key: `port ${port.device}`,
    title: port.board ?? (known === '' ? port.device : known),
    name: port.device,
    about: port.board === null || known === '' ? '' : known,
    machine: null,
    state: null,
    profile: null,
    port,
  }
}

export const rowOfMachine = (groups: readonly Group[], machine: string): Row | undefined =>
  groups.flatMap(({ rows }) => rows).find((row) => row.machine === machine)
