import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { writeState } from '../../../loops/maestro/stateFiles'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { maestroGroup as group, statePath } from './group'

export const maestroWriteState = defineCommand({
  group,
  name: 'write-state',
  printsPlainText: true,
  summary: 'Replace a file of the state with standard input, in one step.',
  positionals: { path: statePath },
  examples: ['maestro write-state .gemini/state/active-session.md < FILE'],
  run: async ({ folder, signal }, { path }) => {
    // Nobody types a file: at a terminal the input is empty.
    const content = process.stdin.isTTY ? Buffer.alloc(0) : await buffer(addAbortSignal(signal, process.stdin))
    await writeState(folder, path, content)
    return EXIT_OK
  },
})
