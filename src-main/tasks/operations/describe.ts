import { z } from 'zod'
import type { OperationDescription } from '@shared/contract/tasks'
import type { Operation } from '../operation'

export const describeOperation = ({
  name,
  title,
  does,
  types,
  needs,
  writes,
  savesFiles,
  arguments: schema,
}: Operation): OperationDescription => ({
  name,
  title,
  description: does,
  types: [...types],
  needs: [...needs],
  writes,
  savesFiles,
  arguments: z.json().parse(z.toJSONSchema(schema, { io: 'input' })),
})
