import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { operationSchema } from '@shared/contract/tasks'
import { findOperation, operations } from '.'
import { describeOperation } from './describe'

const sources = globSync(join(import.meta.dirname, '*.ts')).map((path) => readFileSync(path, 'utf8'))

const propertySchema = z.object({
  description: z.string().min(10),
  type: z.enum(['string', 'integer', 'number', 'boolean', 'array']),
  format: z.string().optional(),
  default: z.json().optional(),
})
const argumentsSchema = z.object({
  type: z.literal('object'),
  properties: z.record(z.string(), propertySchema),
  required: z.array(z.string()).optional(),
  additionalProperties: z.literal(false),
})
const argumentsOf = (name: string) => argumentsSchema.parse(describeOperation(findOperation(name)).arguments)

describe('an operation’s description', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'of %s crosses the border, with a type and a sentence for each argument',
    (_, operation) => {
      const description = operationSchema.parse(describeOperation(operation))
      expect(description.description).toMatch(/\.$/)
      expect(() => argumentsSchema.parse(description.arguments)).not.toThrow()
    },
  )

  it.each(operations.map(({ name, savesFiles }) => [name, savesFiles] as const))(
    'of %s says whether it saves files',
    (name, savesFiles) => {
      const source = sources.find((text) => text.includes(`name: '${name}'`)) ?? ''
      expect(/\bartifact\(|\bsave\w*\(|\brecord(?:Frames)?\(|\bwriteImages\(/.test(source)).toBe(savesFiles)
    },
  )

  it('says which arguments are required, and what the others are by default', () => {
    const { properties, required } = argumentsOf('extract_sprites_from_ram')
    expect(required).toBeUndefined()
    expect(properties.address).toMatchObject({ type: 'string', format: 'address', default: '$2000' })
    expect(properties.length).toMatchObject({ type: 'integer', default: 0x2000 })
    expect(properties.persistArtifacts).toMatchObject({ type: 'boolean', default: true })
    expect(argumentsOf('write').required).toEqual(['address', 'bytes'])
    expect(argumentsOf('run_prg').properties.path).toMatchObject({ type: 'string', format: 'path' })
  })

  it('has defaults that the operation takes', () => {
    for (const operation of operations) {
      const { properties, required = [] } = argumentsOf(operation.name)
      if (required.length > 0 || operation.name === 'compare_snapshot') continue
      const defaults = Object.fromEntries(
        Object.entries(properties).flatMap(([name, property]) =>
          property.default === undefined ? [] : [[name, property.default]],
        ),
      )
      expect(() => operation.prepare(defaults), operation.name).not.toThrow()
    }
  })
})
