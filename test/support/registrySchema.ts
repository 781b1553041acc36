/**
 * The schema of server.json for the MCP registry, of 2025-12-11, as far as a package without remotes uses it:
 * https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json. Strict, so that a key with a typing error is refused.
 */
import { z } from 'zod'

/** Neither a range nor a tag. */
const exactVersion = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\d+\.\d+\.\d+(-[\w.-]+)?$/)

const input = {
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  value: z.string().optional(),
  choices: z.array(z.string()).optional(),
}
const inputWithVariables = { ...input, variables: z.record(z.string(), z.strictObject(input)).optional() }

const positionalArgument = z
  .strictObject({
    ...inputWithVariables,
    type: z.literal('positional'),
    valueHint: z.string().optional(),
    isRepeated: z.boolean().optional(),
  })
  .refine(({ value, valueHint }) => value !== undefined || valueHint !== undefined, 'needs value or valueHint')
const namedArgument = z.strictObject({
  ...inputWithVariables,
  type: z.literal('named'),
  name: z.string(),
  isRepeated: z.boolean().optional(),
})
const packageArguments = z.array(z.union([positionalArgument, namedArgument])).optional()

export const serverJsonSchema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(100),
  version: exactVersion,
  websiteUrl: z.url().optional(),
  repository: z
    .strictObject({
      url: z.url(),
      source: z.string(),
      id: z.string().optional(),
      subfolder: z.string().optional(),
    })
    .optional(),
  packages: z.array(
    z
      .strictObject({
        registryType: z.enum(['npm', 'pypi', 'oci', 'nuget', 'mcpb']),
        registryBaseUrl: z.url().optional(),
        identifier: z.string(),
        version: exactVersion,
        runtimeHint: z.string().optional(),
        runtimeArguments: packageArguments,
        packageArguments,
        environmentVariables: z.array(z.strictObject({ ...inputWithVariables, name: z.string() })).optional(),
        transport: z.strictObject({ type: z.literal('stdio') }),
      })
      .refine(({ runtimeHint, runtimeArguments }) => runtimeArguments === undefined || runtimeHint !== undefined),
  ),
})
