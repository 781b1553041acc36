/**
 * A program that acts as an expert of an ncrew crew, for one turn: the prompt on standard input, the crew's folder as working folder.
 * It passes the test before its first run. What it does stands in a script, a word for each turn, whose first word it takes away; when there is none left it does its task.
 *
 *     node crewExpert.ts SCRIPT [COST]
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

const [, , script = '', cost] = process.argv
const prompt = await text(process.stdin)
if (prompt.startsWith('# Test')) {
  writeFileSync('ready.txt', 'ready\n')
  process.exit()
}
const [word = 'task', ...rest] = existsSync(script)
  ? readFileSync(script, 'utf8')
      .split(/\s+/)
      .filter((entry) => entry !== '')
  : []
if (script !== '') writeFileSync(script, rest.join(' '))
writeFileSync(`${script}.prompt`, prompt)

const listPath = ['.noodlecrew/tasks.md', 'tasks.md'].find((path) => existsSync(path)) ?? 'tasks.md'
const read = (path: string) => readFileSync(path, 'utf8')
const change = (path: string, from: string | RegExp, to: string) => writeFileSync(path, read(path).replace(from, to))
const git = (...words: string[]) => execFileSync('git', words, { stdio: ['ignore', 'ignore', 'inherit'] })
let mayCommit = true
const commit = (message: string) => {
  if (!mayCommit) return
  git('add', '.')
  git('commit', '-q', '-m', message)
}

function nextTask(): { phase: string; task: string } | undefined {
  let phase = ''
  for (const line of read(listPath).split(/\r?\n/)) {
    const [, name] = /^## (\S+)/.exec(line) ?? []
    if (name !== undefined) phase = name.toLowerCase()
    const [, task] = /^- \[ \] (.*)$/.exec(line) ?? []
    if (task !== undefined) return { phase, task }
  }
  return undefined
}

function tick(list = listPath): string {
  const next = nextTask()
  if (!next) return 'nothing'
  const { phase, task } = next
  mkdirSync(`docs/${phase}`, { recursive: true })
  writeFileSync(`docs/${phase}/${task.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.md`, `# ${task}\n`)
  if (list === listPath) change(list, '- [ ]', '- [x]')
  else writeFileSync(list, read(listPath).replace('- [ ]', '- [x]'))
  commit(`feat(${phase}): ${task}`)
  return task
}

function finish(): void {
  if (nextTask()) return
  writeFileSync('CREW_COMPLETE', '')
  change('INDEX.md', /status: \w+/, 'status: complete')
  commit('chore: the crew is complete')
}

const ask = (folder: string) => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    `${folder}/product-owner-001-tapes.md`,
    '---\nfrom: product-owner\nto: user\ntype: blocker\nstatus: pending\ncreated: "2026-02-02"\n---\n\n# BLOCKER: Which tapes\n\n## Question\nAll tapes, or only the good ones?\n\n---\n\n## Your Answer (required to resume)\n**Decision:** ___\n**Reason:** ___\n',
  )
  change('INDEX.md', /status: \w+/, 'status: blocked')
  commit('docs: ask')
}

const count = () =>
  change(
    'INDEX.md',
    /current_iteration: (\d+)/,
    `current_iteration: ${Number(/current_iteration: (\d+)/.exec(read('INDEX.md'))?.[1]) + 1}`,
  )

const doTask = () => {
  const task = tick()
  finish()
  return task
}

const acts: Readonly<Record<string, () => string>> = {
  task: doTask,
  /** After two seconds. */
  slow: doTask,
  /** Once the file SCRIPT.hold is gone. */
  held: doTask,
  /** Counts the iteration itself. */
  counted: () => {
    count()
    return doTask()
  },
  /** Its sandbox keeps git from it. */
  'no-commit': () => {
    mayCommit = false
    return doTask()
  },
  /** Says how much it cost in INDEX.md itself. */
  costed: () => {
    change('INDEX.md', /cost_so_far: \S+/, 'cost_so_far: 9.99')
    return tick()
  },
  two: () => `${tick()} and ${tick()}`,
  /** Does its task and forgets to say that the crew is done. */
  forgets: () => tick(),
  ask: () => {
    ask('questions')
    return 'I have a question.'
  },
  'ask-hidden': () => {
    ask('.noodlecrew/questions')
    return 'I have a question.'
  },
  /** Leaves half of the list behind. */
  tear: () => {
    const task = tick()
    writeFileSync(listPath, read(listPath).slice(0, read(listPath).length / 2))
    return task
  },
  /** Takes the tick of the first task that has one. */
  untick: () => {
    change(listPath, /- \[x\]/, '- [ ]')
    return 'I looked at it again.'
  },
  lie: () => 'Everything is done.',
  /** Ticks in a list that does not count. */
  elsewhere: () => tick('TODO.md'),
  reset: () => {
    change('INDEX.md', /current_iteration: \d+/, 'current_iteration: 0')
    return 'I began again.'
  },
  crash: () => {
    writeFileSync('half-written.md', 'half')
    process.stderr.write('out of memory\n')
    process.exit(3)
  },
  /** Does its work and dies before it can say so. */
  dies: () => {
    tick()
    process.exit(9)
  },
}

if (word === 'slow') await new Promise((resolve) => setTimeout(resolve, 2_000))
if (word === 'held') while (existsSync(`${script}.hold`)) await new Promise((resolve) => setTimeout(resolve, 20))
if (word === 'hang') await new Promise((resolve) => setTimeout(resolve, 600_000))
const act = acts[word]
if (!act) throw new Error(`No act “${word}”.`)
const result = act()
process.stdout.write(
  `${JSON.stringify({ type: 'result', result, ...(cost === undefined ? {} : { total_cost_usd: Number(cost) }), num_turns: 1 })}\n`,
)
