/** The fixed data of the pictures: what the window shows is the same on every computer and in every year. */
import { cp, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** What the page takes for now. */
export const PICTURE_TIME = Date.UTC(2026, 10, 20, 15, 9, 26)
/** When everything on disk was written. */
const WRITTEN = new Date(PICTURE_TIME - 2 * 3_600_000)

/** The demo, stopped in the middle of its run. */
export async function writeMachineState(folder: string): Promise<string> {
  const path = join(folder, 'demo.bridgedeck-state')
  await writeFile(path, gunzipSync(await readFile('test/fixtures/builtinStates/demo.state.gz')))
  return path
}

/** A copy of the sample project, all its files of one time. */
export async function writeProject(folder: string): Promise<string> {
  const project = join(folder, 'sample')
  await cp('resources/sample-project', project, { recursive: true })
  await setTimes(project)
  return project
}

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft '

/** The same with a question whose title, text and place are as long as people write them when nobody stops them. */
export async function writeLongProject(folder: string): Promise<string> {
  const project = await writeProject(folder)
  const questions = join(project, 'tape-archive/questions')
  const text = await readFile(join(questions, 'software-architect-002-levels.md'), 'utf8')
  const title = LONG.repeat(3).trim()
  await writeFile(
    join(questions, `software-architect-003-${'very-'.repeat(20)}long.md`),
    text.replace(/^# .*$/m, `# ${title}`).replaceAll('recording', LONG.trim()),
  )
  await setTimes(project)
  return project
}

/** The same with a state file that breaks off. */
export async function writeDamagedProject(folder: string): Promise<string> {
  const project = await writeProject(folder)
  await writeFile(join(project, 'sprite-editor/.meta/session.json'), '{"sessionId": "0d8c6a52", "status": ')
  await setTimes(project)
  return project
}

async function setTimes(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await utimes(join(entry.parentPath, entry.name), WRITTEN, WRITTEN)
}

const stamp = (time: number): string => new Date(time).toISOString().slice(0, 19).replaceAll(':', '-') + 'Z'

/** Two tasks that ended, one of them badly. @param home the user's folder */
export async function writeTasks(home: string, name = 'read'): Promise<void> {
  const started = WRITTEN.getTime()
  const task = (number: number, operation: string, failure: string | null) => ({
    id: `000${number}_${operation}`,
    name: operation,
    type: 'foreground',
    operation,
    args: { address: '$0400', length: 40 },
    status: failure === null ? 'completed' : 'error',
    startedAt: stamp(started + number * 60_000),
    updatedAt: stamp(started + number * 60_000 + 1_500),
    stoppedAt: stamp(started + number * 60_000 + 1_500),
    lastError: failure,
    folder: `tasks/000${number}_${operation}`,
  })
  const tasks = [
    task(1, name, null),
    task(2, 'poll_screen', 'The text “READY.” did not appear on the screen within 5000 ms.'),
  ]
  const state = join(home, '.c64bridge')
  for (const { folder, ...entry } of tasks) {
    await mkdir(join(state, folder), { recursive: true })
    await writeFile(join(state, folder, 'task.json'), `${JSON.stringify(entry, null, 2)}\n`)
  }
  await writeFile(join(state, 'tasks.json'), `${JSON.stringify({ tasks }, null, 2)}\n`)
}

export async function writeDamagedTasks(home: string): Promise<void> {
  await writeTasks(home)
  await writeFile(join(home, '.c64bridge/tasks.json'), '{"tasks": [{"id": "0001_re')
}
