import { version as number } from '../../../package.json'
import { defineCommand } from '../command'
import { EXIT_OK } from '../exitCodes'

export const version = defineCommand({
  name: 'version',
  aliases: ['--version'],
  summary: 'Print the version of Bridgedeck.',
  run: ({ output }) => {
    output.result({ version: number }, `Bridgedeck ${number}`)
    return Promise.resolve(EXIT_OK)
  },
})
