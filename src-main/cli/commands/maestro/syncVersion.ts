import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { EXTENSION_FILE, PACKAGE_FILE, syncVersion } from '../../../loops/maestro/syncVersion'
import { describeFileError } from '../../../files/fileErrors'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag, folderPath, withDefault } from '../../parameters'
import { changeFile } from './changeFile'
import { maestroGroup as group } from './group'

export const maestroSyncVersion = defineCommand({
  group,
  name: 'sync-version',
  printsPlainText: true,
  summary: 'Copy the version of package.json into gemini-extension.json.',
  details: 'Shows the change; with --yes, it is made.',
  positionals: { folder: withDefault(folderPath('The folder of both files.'), '.') },
  options: { yes: flag('Write the file.') },
  examples: ['maestro sync-version', 'maestro sync-version . --yes'],
  run: async ({ output, signal }, { folder, yes }) => {
    const packageText = await readFile(join(folder, PACKAGE_FILE), 'utf8').catch((error: unknown) => {
      throw describeFileError(error, PACKAGE_FILE, 'read')
    })
    await changeFile({
      folder,
      file: EXTENSION_FILE,
      output,
      signal,
      isTrial: !yes,
      summary: `Synced the version of ${EXTENSION_FILE}.`,
      change: (before) => {
        if (before === null) throw new AppError('NOT_FOUND', `There is no ${EXTENSION_FILE} in ${folder}.`)
        return syncVersion(packageText, before)
      },
    })
    return EXIT_OK
  },
})
