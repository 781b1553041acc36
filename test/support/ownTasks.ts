/** Vitest's set-up of each file: no test, and no program that one starts, touches the tasks of the person or of a test beside it. */
import { resolve } from 'node:path'

process.env['C64_TASK_STATE_FILE'] = resolve('out/test-tasks', process.env['VITEST_POOL_ID'] ?? '0', 'tasks.json')
