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
    with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  }),
  z.strictObject({
    name: z.string().optional(),
    env: z.record(z.string().regex(/^[A-Z_]+$/), z.string()).optional(),
    // What others choose, such as the name of a branch, comes by `env`: it would be code here.
    run: z.string().refine((run) => !run.includes('${{')),
  }),
])
const job = z.strictObject({
  name: z.string(),
  needs: z.union([z.string(), z.array(z.string())]).optional(),
  strategy: z.strictObject({ 'fail-fast': z.boolean(), matrix: z.record(z.string(), z.array(z.string())) }).optional(),
  'runs-on': z.string(),
  'timeout-minutes': z.number().max(90),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
  defaults: z.strictObject({ run: z.strictObject({ shell: z.literal('bash') }) }).optional(),
  steps: z.array(step).min(1),
})
const names = z.array(z.string()).min(1)
const workflow = z.strictObject({
  name: z.string(),
  on: z.union([
    z.strictObject({ push: z.strictObject({ branches: names }), pull_request: z.null() }),
    z.strictObject({ push: z.strictObject({ tags: names }) }),
  ]),
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() }),
  jobs: z.record(z.string().regex(/^[a-z]+$/), job),
})

const readWorkflow = (file) => workflow.parse(readYaml('workflows', file))
const runsOf = ({ steps }) => steps.flatMap((one) => ('run' in one ? [one.run] : []))

it('all workflows are tested here', () => {
  expect(readdirSync(join(root, '.github', 'workflows')).sort()).toEqual(['checks.yml', 'release.yml'])
})

describe.each(['checks.yml', 'release.yml'])('the workflow %s', (file) => {
  const { jobs } = readWorkflow(file)
  const runs = Object.values(jobs).flatMap(runsOf)

  it('runs scripts and steps that are there', () => {
    const named = runs.flatMap((run) => /^npm run (\S+)/.exec(run)?.[1] ?? [])
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
    const steps = runs.flatMap((run) => /^npm test -- (.+)$/.exec(run)?.[1].split(' ') ?? [])
    const known = /named ones: ([a-z, 0-9]+)\./.exec(read('scripts', 'test.mjs'))?.[1].split(', ')
    expect(steps.filter((name) => !known?.includes(name))).toEqual([])
  })

  it('waits for jobs that are there', () => {
    const needed = Object.values(jobs).flatMap(({ needs }) => needs ?? [])
    expect(Object.keys(jobs)).toEqual(expect.arrayContaining(needed))
  })

  it('downloads what an earlier job uploads', () => {
    const artifacts = (action) =>
      Object.values(jobs).flatMap(({ steps }) =>
        steps.flatMap((one) => ('uses' in one && one.uses.startsWith(`actions/${action}@`) ? [nameIn(one)] : [])),
      )
    // What a matrix uploads is downloaded by a pattern.
    const nameIn = ({ with: options }) => (options?.name ?? options?.pattern)?.replace(/\$\{\{.*\}\}/, '*')
    expect(artifacts('upload-artifact')).toEqual(artifacts('download-artifact'))
  })
})

describe('the workflow of checks', () => {
  const { on, jobs } = readWorkflow('checks.yml')

  it('checks the main branch and pull requests, and may only read', () => {
    expect(on).toEqual({ push: { branches: ['main'] }, pull_request: null })
    expect(Object.values(jobs).filter(({ permissions }) => permissions !== undefined)).toEqual([])
  })

  it('tries the npm package on three systems, from the oldest Node that it supports', () => {
    const { os, node } = jobs['package']?.strategy?.matrix ?? {}
    expect(os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
    expect(packageNode).toBe(`>=${node?.[0]}.0`)
  })
})

describe('the workflow of releases', () => {
  const { on, jobs } = readWorkflow('release.yml')
  const writing = Object.values(jobs).filter(({ permissions }) => permissions !== undefined)

  it('starts with a tag alone', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } })
  })

  it('writes in one job, which runs no code of the project and may do no more than it needs', () => {
    expect(writing.map(({ permissions }) => permissions)).toEqual([
      { contents: 'write', 'id-token': 'write', attestations: 'write' },
    ])
    const uses = writing.flatMap(({ steps }) => steps.flatMap((one) => ('uses' in one ? [one.uses.split('@')[0]] : [])))
    expect([...new Set(uses)]).toEqual(['actions/download-artifact', 'actions/attest-build-provenance'])
    for (const run of writing.flatMap(runsOf)) expect(run).not.toMatch(/\b(npm|npx|node)\b/)
  })

  it('publishes nothing: its release is a draft', () => {
    const runs = Object.values(jobs).flatMap(runsOf)
    expect(runs.filter((run) => /\bpublish\b/.test(run))).toEqual([])
    const releases = runs.filter((run) => run.includes('gh release'))
    expect(releases).toEqual([expect.stringContaining(' --draft ')])
  })
})

const field = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('textarea'),
    id: z.string(),
    validations: z.strictObject({ required: z.boolean() }).optional(),
    attributes: z.strictObject({
      label: z.string(),
      description: z.string().optional(),
      render: z.string().optional(),
    }),
  }),
  z.strictObject({
    type: z.literal('input'),
    id: z.string(),
    validations: z.strictObject({ required: z.boolean() }).optional(),
    attributes: z.strictObject({
      label: z.string(),
      description: z.string().optional(),
      placeholder: z.string().optional(),
    }),
  }),
  z.strictObject({
    type: z.literal('dropdown'),
    id: z.string(),
    validations: z.strictObject({ required: z.boolean() }).optional(),
    attributes: z.strictObject({ label: z.string(), options: z.array(z.string()).min(2) }),
  }),
])
const form = z.strictObject({
  name: z.string(),
  description: z.string(),
  labels: z.array(z.string()),
  body: z.array(field).min(1),
})

it.each(['bug.yml', 'idea.yml'])('the form %s is one that GitHub shows', (file) => {
  const { body } = form.parse(readYaml('ISSUE_TEMPLATE', file))
  for (const names of [body.map(({ id }) => id), body.map(({ attributes }) => attributes.label)])
    expect(new Set(names).size).toBe(names.length)
})
