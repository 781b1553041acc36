import type { MachineAtAddress } from '@shared/contract/connections'
import { AppError } from '@shared/contract/errors'
import { describeKind, machineKinds, type MachineKind } from '@shared/contract/machineKinds'
import { canonicalMachineName, readPlainAddress, type HostAndPort } from '@shared/contract/machineName'
import type { Driver } from './driver'

/** ms for each kind; a device in the local network answers within a few hundred. */
const PROBE_DEADLINE_MS = 3_000

interface ProbeOptions {
  readonly drivers: Readonly<Record<MachineKind, Pick<Driver, 'probe'>>>
  /** A connected machine is not asked, as many take one client only. */
  readonly connected: (machine: string) => string | undefined
  readonly signal: AbortSignal
}

const MAX_TEXT = 300

/** @throws AppError INVALID for what is no address */
export async function probeAddress(text: string, options: ProbeOptions): Promise<MachineAtAddress[]> {
  const address = readPlainAddress(text)
  if (!address) throw new AppError('INVALID', `“${text}” is no address.`, { hint: 'Type 192.168.1.64 or c64u.' })
  const { host, port } = address
  if (port === null) {
    const found = await Promise.all(
      machineKinds.map((kind) => {
        const { defaultPort } = describeKind(kind).tcp ?? {}
        return defaultPort === undefined ? Promise.resolve(null) : probe(kind, { host, port: defaultPort }, options)
      }),
    )
    return found.filter((machine) => machine !== null)
  }
  const kinds = kindsAtPort(port)
  const known = kinds.map((kind) => knownAt(kind, { host, port }, options)).find((machine) => machine !== undefined)
  if (known) return [known]
  // One after the other: the device may take one client only.
  for (const kind of kinds) {
    const machine = await probe(kind, { host, port }, options)
    if (machine) return [machine]
  }
  return []
}

/** TeensyROM comes first: a stray letter `e`, as in any HTTP request, resets its settings. HTTP does VICE no harm. */
const askingOrder = ['teensyrom', 'vice', 'ultimate', 'stub'] as const satisfies readonly MachineKind[]

function kindsAtPort(port: number): readonly MachineKind[] {
  const owner = machineKinds.find((kind) => describeKind(kind).tcp?.defaultPort === port)
  return owner ? [owner] : askingOrder
}

const nameAt = (kind: MachineKind, address: HostAndPort): string =>
  canonicalMachineName({ kind, link: { kind: 'tcp', ...address } })

function knownAt(kind: MachineKind, address: HostAndPort, { connected }: ProbeOptions): MachineAtAddress | undefined {
  const machine = nameAt(kind, address)
  const title = connected(machine)
  return title === undefined ? undefined : { machine, title, about: '', asksForPassword: false, limit: null }
}

async function probe(kind: MachineKind, address: HostAndPort, options: ProbeOptions): Promise<MachineAtAddress | null> {
  const known = knownAt(kind, address, options)
  if (known) return known
  const { drivers, signal } = options
  try {
    const until = AbortSignal.any([signal, AbortSignal.timeout(PROBE_DEADLINE_MS)])
    const answer = await drivers[kind].probe?.(address, until)
    if (!answer) return null
    const { title, about, asksForPassword = false, limit = null } = answer
    return {
      machine: nameAt(kind, address),
      title: oneLine(title ?? about),
      about: oneLine(about),
      asksForPassword,
      limit,
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error
    return null
  }
}

const oneLine = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT)
