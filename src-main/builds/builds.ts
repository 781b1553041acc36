import { realpath, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseBuildProblems } from '@shared/builds/buildProblems'
import { suggestBuild, type SuggestedBuild } from '@shared/builds/suggestBuild'
import type { Build, BuildPlan } from '@shared/contract/builds'
import type { Input, Output } from '@shared/contract/contract'
import { AppError, toFailure } from '@shared/contract/errors'
import { listNames } from '@shared/listNames'
import type { AgentResult, AgentRunner } from '../agents/agent'
import { describeFileError } from '../files/fileErrors'
import { findSource, readSourceText } from '../files/sourceFile'
import type { TrustedFolder } from '../git/trustedFolder'
import type { Programs } from '../machine/programs'
import type { BuildStore } from './buildStore'
import { builtProgram } from './builtProgram'
import { commandFiles } from './commandFiles'

const BUILD_ROLE = 'build'
const BUILD_LIMIT_MS = 600_000

interface BuildsOptions {
  readonly agents: Pick<AgentRunner, 'run'>
  readonly store: BuildStore
  readonly programs: Pick<Programs, 'run' | 'stopWatching'>
  /** @throws AppError FORBIDDEN for a folder that the person does not trust */
  readonly requireTrusted: (folder: string) => TrustedFolder
  /** Identifies this very folder: another one put in its place has a different value. */
  readonly identify: (folder: string) => string
  readonly onChanged: (build: Build) => void
}

export class Builds {
  readonly #options: BuildsOptions
  #last: Build | null = null
  #ending: AbortController | undefined

  constructor(options: BuildsOptions) {
    this.#options = options
  }

  async last(): Promise<Output<'builds.last'>> {
    const target = this.#options.store.last
    const plan = target === undefined ? null : await this.plan({ target }).catch(() => null)
    return { build: this.#last, plan }
  }

  /** @throws AppError NOT_FOUND */
  async plan({ target: given, command: wanted }: Input<'builds.plan'>): Promise<BuildPlan> {
    const { target, folder } = await placesOf(given)
    const approved = this.#options.store.get(target)
    const suggested = approved ? null : suggestionFor(target, folder)
    const { command = null, program = null } = approved ?? suggested ?? {}
    const run = await commandFiles(wanted ?? command ?? '', folder)
    const kept = wanted === undefined || wanted === command ? run : await commandFiles(command ?? '', folder)
    const known = kept.digest === approved?.digest ? 'approved' : 'changed'
    const origin = approved ? known : suggested ? 'suggested' : 'none'
    const identity = this.#options.identify(folder)
    return { target, folder, command, program, origin, ...run, isTrusted: this.#trusted(folder) !== null, identity }
  }

  async approved({ target: given, ...approved }: Input<'builds.approved'>): Promise<BuildPlan> {
    const { target } = await placesOf(given)
    this.#options.store.keep({ target, ...approved })
    return this.plan({ target })
  }

  kept(): Output<'builds.kept'> {
    return { builds: this.#options.store.all.map(({ target, command, program }) => ({ target, command, program })) }
  }

  async forget(given: string): Promise<Output<'builds.forget'>> {
    const { store } = this.#options
    const target = await realpath(given).catch(() => given)
    if (!store.get(target))
      throw new AppError('NOT_FOUND', `No build command is kept for ${target}.`, {
        hint: 'bridgedeck build --list shows those that are.',
      })
    store.delete(target)
    return this.kept()
  }

  trustedRoots(): string[] {
    const roots = this.#options.store.all.map(({ target }) => this.#trusted(target) ?? this.#trusted(dirname(target)))
    return [...new Set(roots.flatMap((trusted) => trusted?.root ?? []))]
  }

  /** @param machine null to build only */
  async run({ target: given, machine }: Input<'builds.run'>, signal: AbortSignal): Promise<Build> {
    const { target, folder } = await placesOf(given)
    const kept = this.#options.store.get(target)
    if (!kept)
      throw new AppError('FORBIDDEN', `No build command is approved for ${target}.`, {
        hint: 'Approve one: bridgedeck build, or Build in the window.',
      })
    const trusted = this.#options.requireTrusted(folder)
    const { files, digest } = await commandFiles(kept.command, folder)
    if (digest !== kept.digest) throw changedError(files)
    if (this.#ending)
      throw new AppError('BUSY', `${basename(this.#last?.target ?? '')} is being built.`, {
        hint: 'Wait for the end of the build, or stop it.',
      })
    const ending = new AbortController()
    this.#ending = ending
    try {
      this.#options.store.use(target)
      const { command, program } = kept
      this.#last = {
        target,
        folder,
        command,
        program,
        result: null,
        exitCode: null,
        startedAt: Date.now(),
        endedAt: null,
        message: '',
        problems: [],
        started: null,
        log: null,
      }
      this.#note({})
      const both = AbortSignal.any([signal, ending.signal])
      if (machine !== null) await this.#options.programs.stopWatching(machine)
      return await this.#build(this.#last, trusted, machine, both)
    } catch (error) {
      this.#note({ result: 'failed', endedAt: Date.now(), message: messageOf(error) })
      throw error
    } finally {
      this.#ending = undefined
    }
  }

  stop(): void {
    this.#ending?.abort(new AppError('CANCELLED', 'The build was stopped.'))
  }

  /** @throws AppError NOT_FOUND, FORBIDDEN, INVALID */
  async source({ file }: Input<'builds.source'>): Promise<Output<'builds.source'>> {
    if (!this.#last) throw new AppError('NOT_FOUND', 'Nothing was built yet.')
    const { folder, target } = this.#last
    const place = await findSource(file, { folder, beside: basename(target), roots: this.trustedRoots() })
    return { place, text: await readSourceText(place) }
  }

  async #build(
    { target, command, program, startedAt }: Build,
    trusted: TrustedFolder,
    machine: string | null,
    signal: AbortSignal,
  ): Promise<Build> {
    const result = await this.#options.agents.run(
      {
        agent: BUILD_ROLE,
        shell: command,
        prompt: '',
        cwd: trusted.path,
        purpose: `build ${target}`,
        timeLimit: BUILD_LIMIT_MS,
        isAwaited: true,
        onLine: (line) => this.#note({ message: line.slice(0, 2_000) }),
      },
      signal,
      ({ run }) => this.#note({ log: run }),
    )
    const problems = parseBuildProblems(result.data)
    const ended = { problems, exitCode: result.exitCode, log: result.log }
    if (result.status !== 'success') return this.#end({ ...ended, ...failureOf(result) })
    this.#note(ended)
    if (machine === null) return this.#end({ result: 'succeeded', message: 'Built.' })
    const path = await builtProgram(trusted, program, startedAt)
    const { name, started } = await this.#options.programs.run(machine, { path }, false, signal)
    const message = started === false ? `${name} is loaded, but did not start.` : `${name} is running.`
    return this.#end({ result: 'succeeded', message, started: name.slice(0, 300) })
  }

  #trusted(folder: string): TrustedFolder | null {
    try {
      return this.#options.requireTrusted(folder)
    } catch {
      return null
    }
  }

  #end(changes: Partial<Build>): Build {
    return this.#note({ ...changes, endedAt: Date.now() })
  }

  #note(changes: Partial<Build>): Build {
    if (!this.#last) throw new Error('no build was begun')
    this.#last = { ...this.#last, ...changes }
    this.#options.onChanged(this.#last)
    return this.#last
  }
}

const failureOf = ({ status, reason, exitCode }: AgentResult): Pick<Build, 'result' | 'message'> => ({
  result: status === 'timeout' ? 'timed out' : status === 'stopped' ? 'stopped' : 'failed',
  message: (exitCode === null ? reason : `The command ended with exit code ${exitCode}.`).slice(0, 2_000),
})

const changedError = (files: readonly string[]): AppError =>
  new AppError(
    'FORBIDDEN',
    `What the build command runs has changed since you approved it${files.length === 0 ? '' : `: ${listNames(files)}`}.`,
    { hint: 'Look at it, then approve the command again: bridgedeck build, or Set up the build in the window.' },
  )

function messageOf(error: unknown): string {
  const { message, hint } = toFailure(error)
  return [message, hint].filter(Boolean).join(' ').slice(0, 2_000)
}

/** Links resolved, so that one target has one command. */
async function placesOf(given: string): Promise<{ target: string; folder: string }> {
  try {
    const target = await realpath(given)
    const found = await stat(target)
    return { target, folder: found.isDirectory() ? target : dirname(target) }
  } catch (error) {
    throw describeFileError(error, given, 'read')
  }
}

function suggestionFor(
  target: string,
  folder: string,
): (Pick<SuggestedBuild, 'command'> & { program: string | null }) | null {
  if (target !== folder) return suggestBuild(basename(target))
  const hasMakefile = ['Makefile', 'makefile', 'GNUmakefile'].some((name) => existsSync(join(folder, name)))
  return hasMakefile ? { command: 'make', program: null } : null
}
