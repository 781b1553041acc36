import { dirname } from 'node:path'
import { defineCommand } from '../command'
import { findTarget, unknownCommand } from '../commandLine'
import { EXIT_OK } from '../exitCodes'
import { exitCodesHelp, helpOf } from '../help'
import { openWindow } from '../openWindow'
import { texts } from '../parameters'

const EXIT_CODES_TOPIC = 'exit-codes'

export const help = defineCommand({
  name: 'help',
  summary: `Explain a command, a noun or ${EXIT_CODES_TOPIC}; without a topic, list all commands.`,
  positionals: { topic: { ...texts('TOPIC', 'Such as read, task run or exit-codes.'), completes: [EXIT_CODES_TOPIC] } },
  examples: ['help task', 'help task run', `help ${EXIT_CODES_TOPIC}`],
  printsPlainText: true,
  run: ({ commands, output, resources }, { topic }) => {
    if (topic[0] === EXIT_CODES_TOPIC) output.stream(exitCodesHelp(output.width))
    else {
      const target = findTarget(topic, commands)
      const isUnknown = topic.length > 0 && !target.command && (!target.group || topic.length > 1)
      if (isUnknown) throw unknownCommand(topic, target.group, commands)
      output.stream(helpOf(target, commands, output.width, openWindow(dirname(resources))))
    }
    return Promise.resolve(EXIT_OK)
  },
})
