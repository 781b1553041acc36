import type { Failure } from '@shared/contract/errors'

export const commitProblem = ({ code, message, hint }: Failure): string =>
  code === 'FORBIDDEN'
    ? 'Restricted mode: commits cannot be checked.'
    : [message, hint].filter((text) => text !== undefined).join(' ')
