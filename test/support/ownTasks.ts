/** Vitest's set-up of each file: no test, and no program that one starts, touches the tasks of the person or of a test before or beside it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-tasks-'))
process.env['C64_TASK_STATE_FILE'] = join(folder, 'tasks.json')
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})
