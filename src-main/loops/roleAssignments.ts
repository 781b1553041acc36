import { AppError } from '@shared/contract/errors'
import type { LoopName } from '@shared/contract/loops'
import { z } from 'zod'
import type { SidecarStore } from '../storage/sidecar'

const AGENTS = 'agents'
const assignmentsSchema = z.record(z.string(), z.string())

/** The run's own key may change with its first start, when it gets a state file. */
export const settingsKey = ({ system, place }: LoopName): string => `${system}:${place}`

export class RoleAssignments {
  readonly #sidecar: SidecarStore
  readonly #agents: { readonly names: readonly string[] }

  constructor(sidecar: SidecarStore, agents: { readonly names: readonly string[] }) {
    this.#sidecar = sidecar
    this.#agents = agents
  }

  agentOf(name: LoopName, role: string): string | undefined {
    const chosen = this.#all(name)[role]
    return this.#agents.names.find((agent) => agent === chosen)
  }

  /**
   * @param agents null removes one
   * @throws AppError NOT_FOUND for an agent that is not set up
   */
  assign(name: LoopName, agents: Readonly<Record<string, string | null>>): void {
    for (const agent of Object.values(agents)) if (agent !== null) this.requireAgent(agent)
    const all = Object.entries({ ...this.#all(name), ...agents }).filter(([, agent]) => agent !== null)
    this.#sidecar.remember(name.project, settingsKey(name), {
      [AGENTS]: JSON.stringify(Object.fromEntries(all)),
    })
  }

  /** @throws AppError NOT_FOUND when it is not set up */
  requireAgent(agent: string): void {
    if (!this.#agents.names.includes(agent))
      throw new AppError('NOT_FOUND', `No agent “${agent}” is set up.`, { hint: 'See the Agents view.' })
  }

  #all(name: LoopName): Readonly<Record<string, string>> {
    const stored = this.#sidecar.all(name.project, settingsKey(name)).get(AGENTS)
    return stored === undefined ? {} : assignmentsSchema.parse(JSON.parse(stored))
  }
}
