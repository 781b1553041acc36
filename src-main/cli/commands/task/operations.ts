import type { OperationDescription } from '@shared/contract/tasks'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { text } from '../../parameters'
import { table, type Printed } from '../../printed'
import { argumentHelp, catalogue, describeOperation, operationNames } from './catalogue'
import { taskGroup as group } from './group'

export const taskOperations = defineCommand({
  group,
  name: 'operations',
  summary: 'List the operations, or show what one does and which arguments it takes.',
  positionals: { operation: { ...text('OPERATION', 'The name of an operation.'), completes: operationNames } },
  data: {
    'operations?': 'all: [{ name, title, description, types, needs, writes, arguments, … }]',
    'name?': 'such as read',
    'title?': 'text',
    'description?': 'text',
    'types?': 'foreground, background or both',
    'needs?': 'capabilities',
    'writes?': 'whether it changes the machine',
    'arguments?': 'their JSON schema',
    '…': 'more of the one',
  },
  examples: ['task operations', 'task operations read'],
  run: async ({ output }, { operation }) => {
    if (operation === undefined) {
      const described = catalogue.describe()
      output.result({ operations: described }, table(described.map(({ name, description }) => [name, description])))
    } else {
      const described = describeOperation(operation)
      output.result(described, print(described))
    }
    return EXIT_OK
  },
})

const print = (operation: OperationDescription): Printed => [
  `${operation.name}: ${operation.title}`,
  operation.description,
  `Runs as a ${operation.types.join(' or ')} task; ${operation.writes ? 'changes the machine' : 'changes nothing on the machine'}; saves ${operation.savesFiles ? 'files' : 'no files'}; needs ${operation.needs.join(', ') || 'nothing special'}.`,
  table(argumentHelp(operation).map(({ name, help }) => [`  --${name}`, help])),
]
