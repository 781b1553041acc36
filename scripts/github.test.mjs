import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { packageNode } from './lib/npmPackage.mjs'
import { root } from './lib/process.mjs'

const read = (...path) => readFileSync(join(root, ...path), 'utf8')
const readYaml = (...path) => parse(read('.github', ...path))
const { scripts } = JSON.parse(read('package.json'))

const step = z.union([
  z.strictObject({
    // A major version.
    uses: z.string().regex(/^actions\/[a-z-]+@v\d+$/),
    with: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  }),
  z.strictObject({ name: z.string().optional(), run: z.string() }),
])
const job = z.strictObject({
  name: z.string(),
  needs: z.string().optional(),
  strategy: z.strictObject({ 'fail-fast': z.boolean(), matrix: z.record(z.string(), z.array(z.string())) }).optional(),
  'runs-on': z.string(),
  'timeout-minutes': z.number().max(90),
  defaults: z.strictObject({ run: z.strictObject({ shell: z.literal('bash') }) }).optional(),
  steps: z.array(step).min(1),
})
const workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({ push: z.strictObject({ branches: z.array(z.string()) }), pull_request: z.null() }),
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() }),
  jobs: z.record(z.string().regex(/^[a-z]+$/), job),
})

describe('the workflow of checks', () => {
  const { jobs } = workflow.parse(readYaml('workflows', 'checks.yml'))
  const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap((one) => ('run' in one ? [one.run] : [])))

  it('is the only one, and may only read', () => {
    expect(readdirSync(join(root, '.github', 'workflows'))).toEqual(['checks.yml'])
  })

  it('runs scripts and steps that are there', () => {
    const named = runs.flatMap((run) => /^npm run (\S+)/.exec(run)?.[1] ?? [])
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
    const steps = runs.flatMap((run) => /^npm test -- (.+)$/.exec(run)?.[1].split(' ') ?? [])
    const known = /named ones: ([a-z, 0-9]+)\./.exec(read('scripts', 'test.mjs'))?.[1].split(', ')
    expect(steps.filter((name) => !known?.includes(name))).toEqual([])
  })

  it('waits for jobs that are there', () => {
    for (const { needs } of Object.values(jobs)) if (needs !== undefined) expect(jobs).toHaveProperty(needs)
  })

  it('tries the npm package on three systems, from the oldest Node that it supports', () => {
    const { os, node } = jobs['package']?.strategy?.matrix ?? {}
    expect(os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
    expect(packageNode).toBe(`>=${node?.[0]}.0`)
  })
})

const field = z.discriminatedUnion('type', [
  z.strictObject({
    ...{
      type: z.literal('textarea'),
      id: z.string(),
      validations: z.strictObject({ required: z.boolean() }).optional(),
    },
    attributes: z.strictObject({
      ...{ label: z.string(), description: z.string().optional(), render: z.string().optional() },
    }),
  }),
  z.strictObject({
    ...{ type: z.literal('input'), id: z.string(), validations: z.strictObject({ required: z.boolean() }).optional() },
    attributes: z.strictObject({
      ...{ label: z.string(), description: z.string().optional(), placeholder: z.string().optional() },
    }),
  }),
  z.strictObject({
    ...{
      type: z.literal('dropdown'),
      id: z.string(),
      validations: z.strictObject({ required: z.boolean() }).optional(),
    },
    attributes: z.strictObject({ label: z.string(), options: z.array(z.string()).min(2) }),
  }),
])
const form = z.strictObject({
  ...{ name: z.string(), description: z.string(), labels: z.array(z.string()), body: z.array(field).min(1) },
})

it.each(['bug.yml', 'idea.yml'])('the form %s is one that GitHub shows', (file) => {
  const { body } = form.parse(readYaml('ISSUE_TEMPLATE', file))
  for (const names of [body.map(({ id }) => id), body.map(({ attributes }) => attributes.label)])
    expect(new Set(names).size).toBe(names.length)
})
