import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, required } from '../../parameters'
import { homeOption, openTaskSession } from '../task/taskSession'
import { dataGroup as group } from './group'

export const dataBackup = defineCommand({
  group,
  name: 'backup',
  summary: 'Save settings, tasks and recordings as one archive.',
  details: 'A .tar.gz; a README in it says how to restore it. Passwords, tokens, logs and caches are left out.',
  positionals: { file: required(filePath('The archive to write.')) },
  options: { home: homeOption },
  data: { path: 'absolute path', bytes: 'number', files: 'number', left: '[{ file, reason }]', leftCount: 'number' },
  examples: ['data backup bridgedeck.tar.gz'],
  run: async (context, { file, home }) => {
    const { output, signal } = context
    const { client } = await openTaskSession(context, home)
    const stopProgress = client.onEvent('data.backedUp', ({ percent }) => output.progress(percent / 100, 'Backing up'))
    const made = await client.call('data.backUpTo', { path: file.path }, signal).finally(stopProgress)
    const left = made.left.map(({ file: name, reason }) => `Not saved: ${name}: ${reason}`)
    output.result(
      { path: file.path, ...made },
      [`Saved ${made.files} files, ${made.bytes} bytes, to ${file.written}.`, ...left].join('\n'),
    )
    return EXIT_OK
  },
})
