import type { Connections, FoundMachine, Port } from '@shared/contract/connections'
import { toFailure } from '@shared/contract/errors'
import { canonicalMachineName, readMachineName } from '@shared/contract/machineName'
import type { KeptPassword, ProfileStore } from '../storage/profiles'
import type { C64bridgeConfig, ConfiguredEntry } from './c64bridgeConfig'

/** Everything except `host` is the device's own, untrusted text. */
export interface NetworkDevice {
  readonly host: string
  readonly product: string
  readonly firmware: string | null
  readonly hostname: string | null
  readonly uniqueId: string | null
  readonly needsPassword: boolean
}

interface ConnectionsOptions {
  readonly profiles: ProfileStore
  readonly discover: (signal: AbortSignal, host?: string) => Promise<readonly NetworkDevice[]>
  readonly vice: () => Promise<Connections['vice']>
  readonly ports: () => Promise<Port[]>
  readonly config: () => Promise<C64bridgeConfig>
  readonly onChange: (connections: Connections) => void
}

export class ConnectionCatalog {
  readonly #options: ConnectionsOptions
  #found: readonly FoundMachine[] = []
  #searched: number | null = null
  #searching: Promise<void> | undefined
  #networkProblem: string | null = null

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  async list(): Promise<Connections> {
    const { profiles, config, vice } = this.#options
    const [serial, { machines, problems }, foundVice] = await Promise.all([this.#serial(), config(), vice()])
    return {
      profiles: profiles.list(),
      network: {
        searching: this.#searching !== undefined,
        searched: this.#searched,
        found: [...this.#found],
        problem: this.#networkProblem,
      },
      vice: foundVice,
      serial,
      configured: {
        machines: machines.slice(0, 10).map(withoutPassword),
        problems: problems.slice(0, 20).map(truncate),
      },
    }
  }

  /** Concurrent calls share one search. */
  async search(): Promise<Connections> {
    this.#searching ??= this.#search().finally(() => {
      this.#searching = undefined
    })
    await this.#changed()
    await this.#searching
    return this.#changed()
  }

  async save(machine: string, title: string): Promise<void> {
    this.#options.profiles.save(machine, title)
    await this.#changed()
  }

  async remove(machine: string): Promise<void> {
    this.#options.profiles.remove(machine)
    await this.#changed()
  }

  isSaved(machine: string): boolean {
    return this.#options.profiles.list().some((profile) => profile.machine === machine)
  }

  keptPassword(machine: string): KeptPassword | null {
    return this.#options.profiles.password(machine)
  }

  async keepPassword(machine: string, password: KeptPassword | null): Promise<void> {
    this.#options.profiles.setPassword(machine, password)
    await this.#changed()
  }

  async configuredPassword(machine: string): Promise<string | null> {
    const { machines } = await this.#options.config()
    return machines.find((entry) => entry.machine === machine)?.password ?? null
  }

  async identify(machine: string, signal: AbortSignal): Promise<NetworkDevice | undefined> {
    const address = readMachineName(machine)
    if (address?.kind !== 'ultimate' || address.link?.kind !== 'tcp') return undefined
    const [device] = await this.#options.discover(signal, address.link.host)
    return device
  }

  async #search(): Promise<void> {
    try {
      const devices = await this.#options.discover(AbortSignal.timeout(SEARCH_LIMIT_MS))
      this.#found = devices.slice(0, 100).flatMap(asFound)
      this.#networkProblem = null
    } catch (error) {
      this.#networkProblem = truncate(toFailure(error).message)
    }
    this.#searched = Date.now()
  }

  async #serial(): Promise<Connections['serial']> {
    try {
      return { ports: (await this.#options.ports()).slice(0, 100), problem: null }
    } catch (error) {
      const { message, hint } = toFailure(error)
      return { ports: [], problem: truncate(hint === undefined ? message : `${message} ${hint}`) }
    }
  }

  async #changed(): Promise<Connections> {
    const connections = await this.list()
    this.#options.onChange(connections)
    return connections
  }
}

/** ms; a safeguard only, as a search ends earlier. */
const SEARCH_LIMIT_MS = 10_000

const truncate = (text: string): string => text.slice(0, 300)

const withoutPassword = ({
  machine,
  title,
  source,
  password,
}: ConfiguredEntry): Connections['configured']['machines'][number] => ({
  machine,
  title,
  source,
  hasPassword: password !== null,
})

const toOneLine = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 100)

function asFound({ host, product, firmware, hostname, needsPassword }: NetworkDevice): FoundMachine[] {
  const address = readMachineName(`ultimate:${host}`)
  if (!address) return []
  const name = toOneLine(hostname ?? '')
  return [
    {
      machine: canonicalMachineName(address),
      title: name === '' ? host : name,
      about: [toOneLine(product), ...(firmware === null ? [] : [`firmware ${toOneLine(firmware)}`])].join(', '),
      asksForPassword: needsPassword,
    },
  ]
}
