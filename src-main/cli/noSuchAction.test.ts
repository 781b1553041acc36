import { expect, it } from 'vitest'
import { noSuchAction } from './noSuchAction'

const archive = { name: 'archive', target: '' }
const retry = (target: string) => ({ name: 'retry', target })

it('An action that is not there names those that are, and no empty list', () => {
  const message = (...given: Parameters<typeof noSuchAction>) => noSuchAction(...given).message
  expect(message([], 'archive', undefined)).toBe('No such action for this run. None is available now.')
  expect(message([archive, retry('01')], 'skip', undefined)).toContain('Available: archive, retry.')
  expect(message([archive, retry('01'), retry('02')], 'retry', '03')).toBe(
    'No such target for retry: 03. Available: 01, 02.',
  )
  expect(message([archive, retry('01'), retry('02')], 'retry', undefined)).toBe(
    'retry needs a target. Available: 01, 02.',
  )
  expect(message([archive], 'archive', '03')).toBe('archive takes no target: leave --target out.')
})
