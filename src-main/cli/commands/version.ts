import { defineCommand } from '../command'
import { EXIT_OK } from '../exitCodes'
import { ownPackage } from '../ownPackage'

export const version = defineCommand({
  name: 'version',
  aliases: ['--version'],
  summary: 'Print the version of Bridgedeck.',
  data: { version: 'such as 0.1.0' },
  examples: ['version'],
  run: ({ output, resources }) => {
    const { version } = ownPackage(resources)
    output.result({ version }, `Bridgedeck ${version}`)
    return Promise.resolve(EXIT_OK)
  },
})
