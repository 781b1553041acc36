import { LABELS_PER_PAGE } from '@shared/contract/labels'
import type { AreaHandlers } from '../rpc/commands'
import type { Labels } from './labels'

export const createLabelHandlers = ({ labels }: { readonly labels: Labels }): AreaHandlers<'labels'> => ({
  'labels.files': ({ machine }) => labels.files(machine),
  'labels.load': ({ machine, path }) => labels.load(machine, path),
  'labels.clear': ({ machine, file }) => labels.clear(machine, file),
  'labels.search': async (input) => ({ labels: await labels.ask('search', input.machine, input) }),
  'labels.page': async (input) => ({
    labels: await labels.ask('page', input.machine, { ...input, limit: LABELS_PER_PAGE }),
  }),
  'labels.resolve': (input) => labels.ask('resolve', input.machine, input),
  'labels.describe': async (input) => ({ described: await labels.ask('describe', input.machine, input) }),
})
