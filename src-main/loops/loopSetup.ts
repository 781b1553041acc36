import type { Input, Output } from '@shared/contract/contract'
import { AppError, toFailure } from '@shared/contract/errors'
import type { ChosenOptions, LoopOptions } from '@shared/contract/loopOptions'
import type { AgentTestResult, LoopName } from '@shared/contract/loops'
import type { AgentRunner, FollowAgentRun } from '../agents/agent'
import { findRepository } from '../git/repository'
import type { TrustedFolder } from '../git/trustedFolder'
import { runWorktree, WORKTREE_WANTED } from '@shared/worktree'
import type { SidecarStore } from '../storage/sidecar'
import { accept, folderMemory, isAccepted } from './acceptedEnv'
import type { ActiveLoop } from './activeLoop'
import { AgentTests } from './agentTests'
import { chooseOptions, chosenOptions } from './chosenOptions'
import type { Loop, LoopSettings, Remembered, RunPlace } from './loop'
import { noAgent } from './noAgent'
import { RoleAssignments } from './roleAssignments'

type Setup = Output<'loops.setup'>

export interface LoopSetupOptions {
  readonly agents: AgentRunner
  /** Changes with everything that decides how an agent behaves. */
  readonly commandOf: (agent: string) => string
  readonly sidecar: SidecarStore
  /** @throws AppError NOT_FOUND when its project is not open, or has no such run */
  readonly placeOf: (
    name: LoopName,
  ) => RunPlace & { readonly run: string; readonly memory?: string; readonly shownIn?: string | undefined }
  /**
   * @param folder in the project
   * @throws AppError FORBIDDEN
   */
  readonly requireTrusted: (project: number, folder: string) => TrustedFolder
  readonly folder: string
}

export class LoopSetup {
  readonly #options: LoopSetupOptions
  readonly #loopOf: (name: LoopName) => Loop
  readonly #assignments: RoleAssignments
  readonly #tests: AgentTests

  constructor(options: LoopSetupOptions, loopOf: (name: LoopName) => Loop) {
    this.#options = options
    this.#loopOf = loopOf
    this.#assignments = new RoleAssignments(options.sidecar, options.agents)
    this.#tests = new AgentTests(options)
  }

  async read(name: LoopName, signal: AbortSignal): Promise<Setup> {
    const { names } = this.#options.agents
    const { folder } = this.#options.placeOf(name)
    const roles = await this.#rolesOf(name)
    const missing: Setup['missing'] = []
    let isInRepository: boolean | null = null
    let untrustedTop: string | null = null
    const options = this.chosenOptions(name)
    try {
      const at = this.#options.requireTrusted(name.project, folder)
      const repository = await findRepository(at, signal).catch(() => undefined)
      isInRepository = repository === undefined ? null : repository !== null
      untrustedTop = repository && !at.holds(repository.top) ? repository.top : null
    } catch (error) {
      const { message, hint } = toFailure(error)
      missing.push({ step: 'trust', what: message, hint: hint ?? '' })
    }
    const worktree = { ...this.#worktreeOf(name), untrustedTop }
    if (untrustedTop !== null && (worktree.isWanted || worktree.branch !== null || options.worktreePerAgent === true))
      missing.push({
        step: 'trustRepository',
        what: `The git repository begins at ${untrustedTop}, above the project.`,
        hint: 'Trust that folder for a worktree, or run without one.',
      })
    const { settings, envWords } = await this.#settingsOf(name)
    const isEnvAccepted = isAccepted(this.#ofFolder(name), envWords)
    if (!isEnvAccepted)
      missing.push({
        step: 'env',
        what: 'The .env here adds to the agents’ command lines.',
        hint: 'Check and accept it first.',
      })
    const { bringsAgent, hasOptionalRoles = false } = this.#loopOf(name)
    if (names.length === 0 && !hasOptionalRoles && (roles.length > 0 || !bringsAgent))
      missing.push({ step: 'agent', what: noAgent.message, hint: noAgent.hint })
    return {
      roles,
      hasOptionalRoles,
      agents: names.slice(0, 200),
      missing,
      tests: agentsOf(roles, options.secondAgent).map((agent) => ({
        agent,
        result: this.#tests.resultOf(name, agent),
      })),
      settings,
      envWords: isEnvAccepted ? null : envWords,
      hasRepository: isInRepository,
      worktree,
      options,
    }
  }

  async acceptEnv({ words, ...name }: Input<'loops.acceptEnv'>): Promise<void> {
    const { envWords } = await this.#settingsOf(name)
    if (envWords !== words)
      throw new AppError('CONFLICT', 'Nothing was accepted: the .env changed meanwhile.', { hint: 'Check it again.' })
    accept(this.#ofFolder(name), words)
  }

  #ofFolder(name: LoopName): Remembered {
    const { placeOf, sidecar } = this.#options
    return sidecar.of(name.project, folderMemory(placeOf(name).folder))
  }

  async #settingsOf(name: LoopName): Promise<LoopSettings> {
    const { root, folder } = this.#options.placeOf(name)
    const settings = this.#loopOf(name).settings?.({ root, folder, place: name.place }, this.chosenOptions(name))
    return (await settings) ?? { settings: [], envWords: '' }
  }

  wantWorktree({ isWanted, ...name }: Input<'loops.wantWorktree'>): void {
    if (isWanted) this.requireWorktrees(name)
    const { run, memory = run } = this.#options.placeOf(name)
    this.#options.sidecar.remember(name.project, memory, { [WORKTREE_WANTED]: isWanted ? 'yes' : null })
  }

  chooseOptions({ changed, ...name }: Input<'loops.chooseOptions'>): void {
    const { run, memory = run } = this.#options.placeOf(name)
    this.#options.sidecar.remember(name.project, memory, chooseOptions(name.system, this.chosenOptions(name), changed))
  }

  chosenOptions(name: LoopName): ChosenOptions {
    const { run, memory = run } = this.#options.placeOf(name)
    return chosenOptions((key) => this.#options.sidecar.get(name.project, memory, key))
  }

  /** @throws AppError UNSUPPORTED when the loop's agents work in the project's folder alone */
  requireWorktrees(name: LoopName): void {
    const refusal = this.#loopOf(name).inPlace?.(name.place)
    if (refusal !== undefined)
      throw new AppError('UNSUPPORTED', `No worktree for this run: ${refusal}`, { hint: 'Run it without one.' })
  }

  #worktreeOf(name: LoopName): Omit<Setup['worktree'], 'untrustedTop'> {
    const { run, memory = run } = this.#options.placeOf(name)
    const remembered = this.#options.sidecar.of(name.project, memory)
    return {
      isWanted: remembered.get(WORKTREE_WANTED) !== undefined,
      branch: runWorktree(remembered)?.branch ?? null,
      refusal: this.#loopOf(name).inPlace?.(name.place) ?? null,
    }
  }

  assign({ agents, ...name }: LoopName & { agents: Readonly<Record<string, string | null>> }): void {
    this.#options.placeOf(name)
    this.#assignments.assign(name, agents)
  }

  roles(name: LoopName): Promise<Setup['roles']> {
    return this.#rolesOf(name)
  }

  agentOf(name: LoopName, role: string): string | undefined {
    return this.#assignments.agentOf(name, role)
  }

  /** @throws AppError NOT_FOUND when it is not set up */
  requireAgent(agent: string): void {
    this.#assignments.requireAgent(agent)
  }

  async test(
    { agent, ...name }: Input<'loops.testAgent'>,
    signal: AbortSignal,
    follow?: FollowAgentRun,
  ): Promise<AgentTestResult> {
    this.requireAgent(agent)
    const all = await this.#rolesOf(name)
    const own = all.filter((role) => role.agent === agent)
    const test = this.#loopOf(name).agentTest((own.length > 0 ? own : all).map(({ role }) => role))
    return this.#tests.run(name, agent, test, signal, follow)
  }

  /** @throws AppError INVALID when the run cannot work with one of the agents */
  async testUntested(
    name: LoopName,
    { agent: only, secondAgent }: Pick<LoopOptions, 'agent' | 'secondAgent'>,
    active: ActiveLoop,
  ): Promise<void> {
    const roles = only === undefined ? await this.#rolesOf(name) : [{ role: '', agent: only }]
    for (const agent of agentsOf(roles, secondAgent).filter((each) => this.#tests.resultOf(name, each) === null)) {
      active.step(`Testing ${agent} before the first run`)
      const listed = active.addAgent(agent, 'test')
      const { problems, notes } = await this.test({ ...name, agent }, active.signal, listed.follow).finally(listed.end)
      for (const note of notes) active.log('warn', `${agent}: ${note}`)
      if (problems.length === 0) continue
      throw new AppError('INVALID', `${agent} failed its test: ${problems.join(' ')}`, {
        hint: 'Change its command in the Agents view, or run again to start anyway.',
      })
    }
  }

  async #rolesOf(name: LoopName): Promise<Setup['roles']> {
    const { root, folder } = this.#options.placeOf(name)
    const { names } = this.#options.agents
    const loop = this.#loopOf(name)
    const place = { root, folder, place: name.place }
    const requested = await loop.requestedAgents?.(place, names)
    return (await loop.roles(place)).map((role) => ({
      role,
      agent: this.#assignments.agentOf(name, role) ?? (requested ? requested[role] : names[0]) ?? null,
    }))
  }
}

const agentsOf = (roles: Setup['roles'], secondAgent: string | undefined): string[] => [
  ...new Set([...roles.map(({ agent }) => agent), secondAgent].flatMap((agent) => agent ?? [])),
]
