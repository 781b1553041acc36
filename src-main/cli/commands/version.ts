import { defineCommand } from '../command'
import { EXIT_OK } from '../exitCodes'
import { ownVersion } from '../ownVersion'

export const version = defineCommand({
  name: 'version',
  aliases: ['--version'],
  summary: 'Print the version of Bridgedeck.',
  data: { version: 'such as 0.1.0' },
  examples: ['version'],
  run: ({ output, resources }) => {
    const version = ownVersion(resources)
    output.result({ version }, `Bridgedeck ${version}`)
    return Promise.resolve(EXIT_OK)
  },
})
