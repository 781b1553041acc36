import type { AgentTest } from '../agentTests'
import { describeMissingJson, findJson } from '../askForJson'
import { summarySchema } from './answers'

const TASK_ID = 'test'

export const agentTest = (roles: readonly string[]): AgentTest => ({
  request:
    `Answer with one JSON object and nothing else: its "task_id" is "${TASK_ID}", its "status" is "complete", its "commits" is ` +
    'an empty list, and its "message" is a sentence of yours.',
  writesFiles: roles.includes('executor'),
  problemOf: (answer) => {
    const found = findJson(answer, summarySchema)
    if (!found) return describeMissingJson(answer, summarySchema)
    const { status, message = '' } = found.value
    return status === 'complete' ? null : `It answered “${status}”${message === '' ? '.' : `: ${message}`}`
  },
})
