/**
 * The command line's `ncrew …`, with the codes, streams and lines of the ncrew scripts: results and progress go to standard output,
 * why a run ended other than well to standard error.
 */
import { realpath } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { AppError, toFailure, type ErrorCode, type Failure } from '@shared/contract/errors'
import type { Loop, LoopLine, LoopName, LoopOptions } from '@shared/contract/loops'
import { git, gitOrFail } from '../git/git'
import type { TrustedFolder } from '../git/trustedFolder'
import { ncrew as format } from '../formats/ncrew/format'
import { readCrew, type Crew } from '../loops/ncrew/crewFiles'
import { diagnose, printChecks, type Surroundings } from '../loops/ncrew/doctor'
import { initCrew } from '../loops/ncrew/init'
import { limitsOf, usedOf } from '../loops/ncrew/limits'
import { readLogs } from '../loops/ncrew/logs'
import { llmOf, resolve as resolveTurn } from '../loops/ncrew/resolve'
import { noCrew, type CrewEnd } from '../loops/ncrew/runCrew'
import { crewStatus, printStatus } from '../loops/ncrew/status'
import { checkTermination } from '../loops/ncrew/termination'
import { logLine, type LogWord } from '../loops/ncrew/turnLog'
import { turnPrompt } from '../loops/ncrew/turnPrompt'
import { identifyFolder, requireTrusted } from '../projects/trust'
import { inert } from './project'
import { loadRemembered } from './remembered'
import type { Session } from './session'

export interface NcrewCall {
  /** Those behind `ncrew`. */
  readonly words: readonly string[]
  /** The caller's working folder. */
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  /** The folder with the crews that come with Bridgedeck. */
  readonly crews: string
  /** Connects once it is needed. */
  readonly openSession: () => Promise<Session>
  readonly signal: AbortSignal
}

const flag = { type: 'boolean' } as const
const text = { type: 'string' } as const

const commands = {
  init: {
    usage: 'init [DIR] [--name NAME] [--idea TEXT] [--crew NAME] [--no-git] [--trust]',
    options: { name: text, idea: text, crew: text, 'no-git': flag, trust: flag, json: flag },
    act: init,
  },
  run: {
    usage:
      'run [DIR] [--max-iterations N] [--max-cost USD] [--llm NAME] [--agent NAME] [--single] [--dry-run] [--trust]',
    options: runOptions(),
    act: run,
  },
  resume: { usage: 'resume [DIR], with the options of run', options: runOptions(), act: run },
  status: { usage: 'status [DIR]', options: { json: flag }, act: status },
  logs: { usage: 'logs [DIR] [--all] [--tail N]', options: { all: flag, tail: text, json: flag }, act: logs },
  doctor: { usage: 'doctor [DIR] [--quiet]', options: { quiet: flag, json: flag }, act: doctor },
}

function runOptions() {
  return {
    'max-iterations': text,
    'max-cost': text,
    llm: text,
    agent: text,
    single: flag,
    'dry-run': flag,
    trust: flag,
    json: flag,
  }
}

interface Words {
  readonly name: string
  /** Absolute. */
  readonly folder: string
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly isJson: boolean
}

/** Bad words, with the exit code of the scripts for it. */
class BadWords extends AppError {}

/** @returns the exit code */
export async function ncrew(call: NcrewCall): Promise<number> {
  const [name = '', ...rest] = call.words
  const isJson = rest.includes('--json')
  try {
    const command = Object.entries(commands).find(([known]) => known === name)?.[1]
    if (!command)
      throw new BadWords('INVALID', `There is no command “ncrew ${name}”.`, {
        hint: `There are ${Object.keys(commands).join(', ')}.`,
      })
    const words = parse(name, command, rest, call.folder)
    return await command.act(call, words)
  } catch (error) {
    const failure = call.signal.aborted ? toFailure(call.signal.reason) : toFailure(error)
    if (failure.code === 'INTERNAL' && call.environment['BRIDGEDECK_DEBUG']) console.error(error)
    const code = error instanceof BadWords ? 1 : (codes[failure.code] ?? 99)
    tellFailure(name, isJson, failure)
    return code
  }
}

/** 6: somebody else runs it. 7: the folder is not trusted. */
const codes: Partial<Record<ErrorCode, number>> = {
  INVALID: 4,
  NOT_FOUND: 5,
  CONFLICT: 6,
  FORBIDDEN: 7,
  CANCELLED: 130,
}

function parse(
  name: string,
  { usage, options }: { usage: string; options: Readonly<Record<string, typeof flag | typeof text>> },
  rest: readonly string[],
  folder: string,
): Words {
  const bad = (message: string) => new BadWords('INVALID', message, { hint: `Usage: bridgedeck ncrew ${usage}` })
  try {
    const { values, positionals } = parseArgs({
      args: [...rest],
      options: { ...options },
      allowPositionals: true,
      strict: true,
    })
    if (positionals.length > 1) throw bad(`ncrew ${name} takes one folder.`)
    return { name, folder: resolve(folder, positionals[0] ?? '.'), values, isJson: values['json'] === true }
  } catch (error) {
    throw error instanceof BadWords ? error : bad(error instanceof Error ? error.message : String(error))
  }
}

const textOf = ({ values }: Words, option: string): string | undefined => {
  const value = values[option]
  return typeof value === 'string' ? value : undefined
}

function numberOf(words: Words, option: string, written: string | undefined, isWhole: boolean): number | undefined {
  if (written === undefined) return undefined
  const value = Number(written)
  if (
    written.trim() === '' ||
    !(isWhole ? Number.isInteger(value) : Number.isFinite(value)) ||
    value < 0 ||
    value > 1_000_000
  ) {
    throw new BadWords(
      'INVALID',
      `${option} is ${isWhole ? 'a whole number' : 'an amount in USD'} from 0 on, not “${written}”.`,
      { hint: `Usage: bridgedeck ncrew ${words.name} --help` },
    )
  }
  return value
}

const schema = (name: string): string => `bridgedeck.ncrew.${name}/1`

function tell({ name, isJson }: Pick<Words, 'name' | 'isJson'>, data: object, words: string): void {
  process.stdout.write(
    isJson ? `${JSON.stringify({ schema: schema(name), ok: true, data })}\n` : words === '' ? '' : `${inert(words)}\n`,
  )
}

function tellFailure(name: string, isJson: boolean, error: Failure): void {
  if (isJson) process.stdout.write(`${JSON.stringify({ schema: schema(name), ok: false, error })}\n`)
  else process.stderr.write(`${inert(error.message)}${error.hint === undefined ? '' : ` ${inert(error.hint)}`}\n`)
}

/** Well to standard output, anything else to standard error. */
function tellEnd(words: Words, end: CrewEnd): number {
  if (words.isJson || end.code === 0 || end.code === 100) tell(words, end, end.message)
  else
    tellFailure(words.name, false, {
      code: 'INVALID',
      message: end.message,
      ...(end.hint === undefined ? {} : { hint: end.hint }),
    })
  return end.code
}

async function requireCrew({ folder }: Words, { signal }: NcrewCall): Promise<Crew> {
  const crew = await readCrew(folder, loadRemembered, signal)
  if (crew) return crew
  const { message, hint = '' } = noCrew(folder)
  throw new AppError('NOT_FOUND', message, { hint })
}

async function init(call: NcrewCall, words: Words): Promise<number> {
  const { folder } = words
  const crew = textOf(words, 'crew') ?? 'default'
  if (crew !== 'default') {
    tellFailure(words.name, words.isJson, {
      code: 'NOT_FOUND',
      message: `There is no crew “${crew}”.`,
      hint: 'The one that there is is called default.',
    })
    return 2
  }
  const made = await initCrew({
    folder,
    name: textOf(words, 'name') ?? basename(folder),
    idea: textOf(words, 'idea'),
    crew: join(call.crews, crew),
    now: Date.now(),
  })
  if (made.created.length === 0) {
    tellFailure(words.name, words.isJson, {
      code: 'CONFLICT',
      message: `${made.folder} has a crew already; nothing was changed.`,
      hint: 'ncrew status tells where it stands.',
    })
    return 3
  }
  const repository = await firstCommit(call, words, made.folder)
  const kept =
    made.kept.length === 0
      ? []
      : [`Left as ${made.kept.length === 1 ? 'it was' : 'they were'}: ${made.kept.join(', ')}`]
  tell(
    words,
    { ...made, repository: repository.state },
    [`Made in ${made.folder}:`, ...made.created.map((path) => `  ${path}`), ...kept, repository.message].join('\n'),
  )
  return repository.state === 'failed' ? 4 : 0
}

/** Experts commit, so there has to be a repository; git runs only where the person trusts the folder. */
async function firstCommit(
  call: NcrewCall,
  { values }: Words,
  folder: string,
): Promise<{ state: 'committed' | 'none' | 'there' | 'failed'; message: string }> {
  const none = 'Experts commit what they make: before the first run, make this a git repository with a first commit.'
  if (values['no-git'] === true) return { state: 'none', message: none }
  if (values['trust'] !== true) return { state: 'none', message: `${none} With --trust, init does that.` }
  const session = await call.openSession()
  const { identity } = identifyFolder(folder)
  await session.client.call('projects.setTrusted', { path: folder, identity }, call.signal)
  const at = requireTrusted({ path: folder, trustedAs: identity })
  try {
    const { code } = await git(at, ['rev-parse', '--git-dir'], { signal: call.signal })
    if (code === 0)
      return {
        state: 'there',
        message: 'It is in a git repository already: commit the new files before the first run.',
      }
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-q', '-m', 'chore: begin'],
    ])
      await gitOrFail(at, args, { signal: call.signal })
    return { state: 'committed', message: 'A git repository with a first commit was made. ncrew run begins.' }
  } catch (error) {
    const { message, hint } = toFailure(error)
    return { state: 'failed', message: `git could not commit it: ${message}${hint === undefined ? '' : ` ${hint}`}` }
  }
}

async function status(call: NcrewCall, words: Words): Promise<number> {
  const { state, files } = await requireCrew(words, call)
  const shown = crewStatus(state, files.remembered, limitsOf(state, environmentOptions(call, words)))
  tell(words, shown, printStatus(shown))
  return 0
}

async function logs(call: NcrewCall, words: Words): Promise<number> {
  const tail = numberOf(words, '--tail', textOf(words, 'tail'), true)
  const crew = await requireCrew(words, call)
  const lines = await readLogs(crew, { all: words.values['all'] === true, tail })
  tell(words, { lines }, lines.length === 0 ? 'There is no log yet.' : lines.join('\n'))
  return 0
}

/** @returns 0 without errors, 2 with some, 3 where there is no crew */
async function doctor(call: NcrewCall, words: Words): Promise<number> {
  const crew = await readCrew(words.folder, loadRemembered, call.signal)
  if (!crew) {
    const { message, hint } = noCrew(words.folder)
    tellFailure(words.name, words.isJson, { code: 'NOT_FOUND', message, ...(hint === undefined ? {} : { hint }) })
    return 3
  }
  const session = await call.openSession()
  const { agents } = await session.client.call('agents.list', {}, call.signal)
  const trusted = await trustedFolder(session, crew.root, call.signal)
  const checks = diagnose(crew, {
    findings: format.validate(crew.files),
    git: trusted && (await askGit(trusted, call.signal)),
    agents: agents.map(({ name, program }) => ({ name, program })),
  })
  tell(words, { checks }, printChecks(checks, words.values['quiet'] === true))
  return checks.some(({ level }) => level === 'error') ? 2 : 0
}

async function askGit(at: TrustedFolder, signal: AbortSignal): Promise<NonNullable<Surroundings['git']>> {
  const { code, text: words } = await git(
    at,
    ['status', '--porcelain', '--branch', '--untracked-files=all', '--', '.'],
    { signal },
  )
  if (code !== 0) return { isRepository: false, branch: null, changes: 0 }
  const lines = words.split('\n').filter((line) => line !== '')
  const branch = /^## (?:No commits yet on )?(.+?)(?:\.\.\.|$)/.exec(lines[0] ?? '')?.[1] ?? null
  return {
    isRepository: true,
    branch: branch?.startsWith('HEAD (') === true ? null : branch,
    changes: lines.filter((line) => !line.startsWith('##')).length,
  }
}

/** The open or remembered project that the crew is in, a trusted one rather than another. */
async function projectOf(
  session: Session,
  root: string,
  signal: AbortSignal,
): Promise<{ project: number; place: string; real: string; isOpen: boolean; isTrusted: boolean } | undefined> {
  const { projects } = await session.client.call('projects.list', {}, signal)
  const found = await Promise.all(
    projects.map(async ({ project, place, state, trusted }) => ({
      project,
      place,
      real: await realpath(place).catch(() => ''),
      isOpen: state === 'open' || state === 'reading',
      isTrusted: trusted,
    })),
  )
  const around = found.filter(
    ({ real }) => real !== '' && (root === real || root.startsWith(real.endsWith(sep) ? real : real + sep)),
  )
  return around.sort(
    (a, b) =>
      Number(b.isTrusted) - Number(a.isTrusted) || Number(b.isOpen) - Number(a.isOpen) || b.real.length - a.real.length,
  )[0]
}

async function trustedFolder(session: Session, root: string, signal: AbortSignal): Promise<TrustedFolder | undefined> {
  const found = await projectOf(session, root, signal)
  if (!found?.isTrusted) return undefined
  return requireTrusted(
    { path: found.place, trustedAs: identifyFolder(found.place).identity },
    relative(found.real, root).replaceAll('\\', '/'),
  )
}

/** Flags count more than variables, as variables count more than the manifest. */
function environmentOptions({ environment }: NcrewCall, words: Words): LoopOptions {
  const given = (option: string, variable: string) => textOf(words, option) ?? environment[variable]
  const maxIterations = numberOf(words, '--max-iterations', given('max-iterations', 'NOODLECREW_MAX_ITERATIONS'), true)
  const maxCost = numberOf(words, '--max-cost', given('max-cost', 'NOODLECREW_MAX_COST'), false)
  const llm = environment['NOODLECREW_DEFAULT_LLM']
  return {
    ...(maxIterations === undefined ? {} : { maxIterations }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(llm === undefined || llm === '' ? {} : { llm }),
  }
}

async function run(call: NcrewCall, words: Words): Promise<number> {
  const agent = textOf(words, 'agent') ?? textOf(words, 'llm')
  const options: LoopOptions = {
    ...environmentOptions(call, words),
    ...(agent === undefined ? {} : { agent }),
    ...(words.values['single'] === true ? { maxTurns: 1 } : {}),
  }
  const crew = await requireCrew(words, call)
  if (words.values['dry-run'] === true) return dryRun(crew, words, options)
  const session = await call.openSession()
  if (words.values['trust'] === true)
    await session.client.call(
      'projects.setTrusted',
      { path: crew.root, identity: identifyFolder(crew.root).identity },
      call.signal,
    )
  const found = await projectOf(session, crew.root, call.signal)
  const place = found?.isOpen
    ? found
    : {
        ...(await session.client.call('projects.open', { path: found?.place ?? crew.root }, call.signal)),
        real: found?.real ?? crew.root,
        isOpen: false,
      }
  try {
    const name: LoopName = {
      project: place.project,
      system: 'ncrew',
      folder: relative(place.real, crew.root).replaceAll('\\', '/'),
    }
    return tellEnd(words, await follow(session, name, await start(session, name, options, call.signal), call, words))
  } finally {
    if (!place.isOpen) await session.client.call('projects.close', { project: place.project }).catch(() => undefined)
  }
}

/** What the first turn would be; nothing is launched or written. */
async function dryRun(crew: Crew, words: Words, options: LoopOptions): Promise<number> {
  const { state } = crew
  const verdict = checkTermination(state, usedOf(state), limitsOf(state, options), new Map())
  if (verdict.code !== 100) return tellEnd(words, verdict)
  const resolution = resolveTurn(state)
  if ('code' in resolution) return tellEnd(words, resolution)
  const { expert, phase, task } = resolution.turn
  const llm = options.agent ?? llmOf(state, expert, options.llm) ?? null
  const prompt = await turnPrompt(crew, resolution.turn)
  const next = `Would launch ${expert.role} (${llm ?? 'no language model named'}) for ${phase.name}: ${task ?? 'say that the crew is done'}`
  tell(words, { role: expert.role, phase: phase.key, task: task ?? null, llm, prompt }, `${next}\n\n${prompt}`)
  return 0
}

/** How long the project's files may take to be read, ms. */
const READING = 20_000
/** Between two looks at a loop, ms. */
const LOOK = 200

/** A project that was just opened is being read. */
async function start(session: Session, name: LoopName, options: LoopOptions, signal: AbortSignal): Promise<Loop> {
  const deadline = performance.now() + READING
  for (;;) {
    try {
      return (await session.client.call('loops.start', { ...name, options }, signal)).loop
    } catch (error) {
      if (toFailure(error).code !== 'NOT_FOUND' || performance.now() > deadline) throw error
      await wait(LOOK, undefined, { signal })
    }
  }
}

const wordOf: Readonly<Record<LoopLine['level'], LogWord>> = { info: 'INFO', warn: 'WARN', error: 'ERROR' }

/** Prints the lines of its log as they come; when the call is interrupted, the loop is stopped. */
async function follow(
  session: Session,
  name: LoopName,
  started: Loop,
  { signal }: NcrewCall,
  { isJson }: Words,
): Promise<CrewEnd> {
  let after = 0
  const isActive = ({ state }: Loop) => state === 'running' || state === 'pausing' || state === 'stopping'
  for (let loop = started; ;) {
    if (signal.aborted && loop.state === 'running') await session.client.call('loops.stop', name).catch(() => undefined)
    const page = await session.client.call('loops.lines', { ...name, after })
    loop = page.loop
    // Its last line is how it ended, which is told by itself.
    const lines = isActive(loop) ? page.lines : page.lines.filter(({ number }) => number < loop.lines)
    for (const { number, time, level, text: words } of page.lines) {
      after = number
      if (!lines.some((line) => line.number === number)) continue
      const at = new Date(time).toISOString()
      process.stdout.write(
        isJson
          ? `${JSON.stringify({ schema: schema('line'), ok: true, data: { time: at, level, text: words } })}\n`
          : `${inert(logLine(time, wordOf[level], words))}\n`,
      )
    }
    if (isActive(loop)) await wait(LOOK, undefined, { signal }).catch(() => undefined)
    else if (page.lines.length === 0 || after >= loop.lines) return endOf(loop)
  }
}

function endOf({ state, outcome, code, message, hint }: Loop): CrewEnd {
  const end = { message, ...(hint === null ? {} : { hint }) }
  if (code !== undefined) return { ...end, code }
  return { ...end, code: state === 'stopped' ? 130 : outcome === 'done' ? 0 : 99 }
}
