/** A crew in a real git repository, and a loop that runs it with programs in the place of its experts. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { defaultSettings } from '@shared/contract/settings'
import type { AgentResult } from '../../src-main/agents/agent'
import { newRun } from '../../src-main/agents/agentRun'
import { suggestedAgent } from '../../src-main/agents/agentSetups'
import { TrustedFolder } from '../../src-main/git/trustedFolder'
import { TreeAgents } from '../../src-main/loops/treeAgents'
import type { LoopWork } from '../../src-main/loops/loop'
import { initCrew } from '../../src-main/loops/ncrew/init'
import { runCrew, type CrewEnd, type CrewOptions } from '../../src-main/loops/ncrew/runCrew'

const expert = resolve('test/peers/agents/crewExpert.ts')
const memorySchema = z.array(z.tuple([z.string(), z.string()]))
const answerSchema = z.object({ result: z.string(), total_cost_usd: z.number().optional() })

/** Two phases, three tasks. */
export const shortTasks =
  '# Tasks\n\n## Discovery Phase ⏳ PENDING\n- [ ] Vision\n- [ ] Users\n\n## Architecture Phase ⏳ PENDING\n- [ ] ADR-001\n'
export const shortManifest =
  'crew:\n  default_llm: fake\n  experts:\n    - role: product-owner\n      phase: discovery\n    - role: software-architect\n      phase: architecture\nphases: [discovery, architecture]\n'

export class CrewProject {
  readonly top: string
  readonly folder: string
  /** What Bridgedeck remembers of it. */
  readonly remembered: Map<string, string>
  /** What the loop said. */
  readonly said: string[] = []
  /** Turns that were launched. */
  launched = 0
  stop = new AbortController()
  isPausing = false
  onLaunch: (pid: number | undefined) => void = () => undefined
  limits = defaultSettings.agentLimits
  /** USD that each turn says it cost. */
  cost: number | undefined

  /** @param top of one that another process has created */
  constructor(top: string) {
    this.top = top
    this.folder = join(top, 'crew')
    this.remembered = new Map(
      existsSync(this.#memory) ? memorySchema.parse(JSON.parse(readFileSync(this.#memory, 'utf8'))) : [],
    )
  }

  static async create(files: Readonly<Record<string, string>> = {}): Promise<CrewProject> {
    const project = new CrewProject(realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-crew-'))))
    mkdirSync(project.folder)
    project.put({ 'IDEA.md': '# Tapes\n', '.noodlecrew/manifest.yml': shortManifest, 'tasks.md': shortTasks, ...files })
    await initCrew({
      folder: project.folder,
      name: 'tapes',
      crew: resolve('resources/ncrew/default'),
      now: Date.parse('2026-02-02T10:00:00Z'),
    })
    project.git('init', '-q')
    appendFileSync(
      join(project.folder, '.git/config'),
      '[user]\n\tname = Tester\n\temail = tester@example.org\n[maintenance]\n\tauto = false\n',
    )
    project.git('add', '.')
    project.git('commit', '-q', '-m', 'chore: begin')
    return project
  }

  put(files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true })
      writeFileSync(join(this.folder, path), content)
    }
  }

  read = (path: string): string => readFileSync(join(this.folder, path), 'utf8')
  has = (path: string): boolean => existsSync(join(this.folder, path))
  replace = (path: string, from: string | RegExp, to: string): void =>
    writeFileSync(join(this.folder, path), this.read(path).replace(from, to))
  git = (...words: string[]): string => execFileSync('git', words, { cwd: this.folder, encoding: 'utf8' })

  /** What the experts do, a word for each turn; after that they do their tasks. */
  script(words: string): this {
    writeFileSync(this.scriptPath, words)
    return this
  }

  get #memory(): string {
    return join(this.top, 'remembered.json')
  }

  get scriptPath(): string {
    return join(this.top, 'script')
  }

  /** Of the last turn. */
  get prompt(): string {
    return readFileSync(`${this.scriptPath}.prompt`, 'utf8')
  }

  /** All logs, one after the other. */
  get logs(): string {
    const folder = '.noodlecrew/logs'
    return this.has(folder)
      ? readdirSync(join(this.folder, folder))
          .sort()
          .map((name) => this.read(`${folder}/${name}`))
          .join('')
      : ''
  }

  /** Everything but git's, by path. */
  files(): Record<string, string> {
    const entries = readdirSync(this.folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    const paths = entries.flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name).slice(this.folder.length + 1)] : [],
    )
    return Object.fromEntries(paths.filter((path) => !path.startsWith('.git/')).map((path) => [path, this.read(path)]))
  }

  /** Fields of INDEX.md as they are written. */
  index(name: string): string | undefined {
    return new RegExp(`^${name}: (.*)$`, 'm').exec(this.read('INDEX.md'))?.[1]
  }

  run(options: CrewOptions = {}): Promise<CrewEnd> {
    return runCrew(this.work(), { retryPause: 0, ...options })
  }

  /** What the registry of loops would give it. */
  work(): LoopWork {
    const { remembered, said, folder } = this
    const kept: LoopWork['remembered'] = {
      get: (name) => remembered.get(name),
      set: (values) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null) remembered.delete(name)
          else remembered.set(name, value)
        }
        writeFileSync(`${this.#memory}.new`, JSON.stringify([...remembered]))
        renameSync(`${this.#memory}.new`, this.#memory)
      },
    }
    return {
      root: folder,
      folder: '',
      workFolder: folder,
      isInWorktree: false,
      own: this.top,
      signal: this.stop.signal,
      place: '',
      pauses: new AbortController().signal,
      hasProgram: () => true,
      isPausing: () => this.isPausing,
      trusted: () => new TrustedFolder(folder, folder),
      rememberedOfFolder: { get: () => undefined, set: () => undefined },
      remembered: kept,
      holds: kept,
      elsewhere: new TreeAgents().elsewhere('', ''),
      budget: () => {
        const used = { cost: this.launched * (this.cost ?? 0), hours: this.launched, unpriced: 0, estimated: 0 }
        return {
          limits: this.limits,
          used: { run: used, day: used, night: used, total: used },
          day: '2026-02-02',
          night: '2026-02-02',
          subject: 'this run',
          costProblem: null,
        }
      },
      options: {},
      agents: ['fake'],
      chosen: () => undefined,
      spawn: (_role, request, hooks) => {
        hooks?.follow?.(newRun({ cwd: folder, ...request, agent: 'fake' }, suggestedAgent('custom')))
        return this.#launch(request.prompt)
      },
      adopt: () => Promise.resolve(null),
      check: (_task, command) => Promise.resolve(this.#check(command)),
      continuesPast: () => Promise.resolve(false),
      step: (line) => void said.push(line),
      log: (_level, line) => void said.push(line),
    }
  }

  remove(): void {
    rmSync(this.top, { recursive: true, force: true })
  }

  #check(command: string): AgentResult {
    const { status, stdout } = spawnSync('sh', ['-c', command], { cwd: this.folder, encoding: 'utf8' })
    return {
      status: status === 0 ? 'success' : 'error',
      data: stdout,
      reason: '',
      exitCode: status,
      duration: 1,
      tokens: null,
      cost: null,
      stillAlive: [],
      log: '',
    }
  }

  async #launch(prompt: string): Promise<AgentResult> {
    this.launched++
    const child = spawn(
      process.execPath,
      [expert, this.scriptPath, ...(this.cost === undefined ? [] : [String(this.cost)])],
      { cwd: this.folder, stdio: ['pipe', 'pipe', 'pipe'], signal: this.stop.signal, killSignal: 'SIGKILL' },
    )
    this.onLaunch(child.pid)
    child.on('error', () => undefined)
    child.stdin.on('error', () => undefined)
    child.stdin.end(prompt)
    const [output, errors, exitCode] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((done) => child.on('close', done)),
    ])
    const answer = exitCode === 0 ? answerSchema.parse(JSON.parse(output)) : undefined
    return {
      status: this.stop.signal.aborted ? 'stopped' : answer ? 'success' : 'error',
      data: answer?.result ?? errors,
      reason: answer ? '' : `It ended with exit code ${exitCode}.`,
      tokens: null,
      cost: answer?.total_cost_usd ?? null,
      duration: 100,
      exitCode,
      stillAlive: [],
      log: '',
    }
  }
}
