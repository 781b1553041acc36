import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { defineCommand } from '../command'
import { EXIT_OK } from '../exitCodes'

const packageSchema = z.object({ version: z.string() })

export const version = defineCommand({
  name: 'version',
  aliases: ['--version'],
  summary: 'Print the version of Bridgedeck.',
  data: { version: 'such as 0.1.0' },
  examples: ['version'],
  run: ({ output, resources }) => {
    const file = readFileSync(join(resources, '../../package.json'), 'utf8')
    const { version } = packageSchema.parse(JSON.parse(file))
    output.result({ version }, `Bridgedeck ${version}`)
    return Promise.resolve(EXIT_OK)
  },
})
