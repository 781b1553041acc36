import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { LOCAL_BUILDER, placeOf, provenance } from './provenance.mjs'

/** What in-toto's Statement v1 and SLSA's provenance v1 ask for. */
const resource = z
  .strictObject({ name: z.string(), uri: z.url(), digest: z.record(z.string(), z.string().regex(/^[0-9a-f]+$/)) })
  .partial()
const statement = z.strictObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z
    .array(z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: z.string().length(64) }) }))
    .min(1),
  predicateType: z.literal('https://slsa.dev/provenance/v1'),
  predicate: z.strictObject({
    bridgedeck_note: z.string(),
    buildDefinition: z.strictObject({
      buildType: z.url(),
      externalParameters: z.record(z.string(), z.unknown()),
      resolvedDependencies: z.array(resource.refine(({ uri, digest }) => uri !== undefined || digest !== undefined)),
    }),
    runDetails: z.strictObject({
      builder: z.strictObject({ id: z.url() }),
      metadata: z.strictObject({ invocationId: z.string() }).optional(),
    }),
  }),
})

const release = {
  version: '1.2.3',
  commit: 'c'.repeat(40),
  lockDigest: 'd'.repeat(64),
  isTested: true,
  place: placeOf({}),
  files: [{ name: 'app.tgz', digest: 'a'.repeat(64) }],
  tools: { node: '24.0.0' },
}

const onGitHub = placeOf({
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'me/app',
  GITHUB_WORKFLOW_REF: 'me/app/.github/workflows/release.yml@refs/tags/v1.2.3',
  GITHUB_RUN_ID: '7',
  GITHUB_RUN_ATTEMPT: '2',
})

describe('the provenance', () => {
  it.each([
    ['here', release],
    ['on GitHub', { ...release, place: onGitHub }],
  ])('of a release that was made %s is a statement of SLSA', (_, made) => {
    expect(() => statement.parse(provenance(made))).not.toThrow()
  })

  it('names files, commit, lock file and tools, and whether tests ran', () => {
    const { subject, predicate } = statement.parse(provenance({ ...release, isTested: false }))
    expect(subject).toEqual([{ name: 'app.tgz', digest: { sha256: 'a'.repeat(64) } }])
    expect(predicate.buildDefinition.resolvedDependencies).toEqual([
      { name: 'source', digest: { gitCommit: release.commit } },
      { name: 'package-lock.json', digest: { sha256: release.lockDigest } },
      { name: 'node', uri: 'pkg:npm/node@24.0.0' },
    ])
    expect(predicate.buildDefinition.externalParameters).toMatchObject({ version: '1.2.3', tested: false })
  })

  it('says that it is not signed', () => {
    expect(provenance(release).predicate.bridgedeck_note).toMatch(/not signed/)
  })

  it('names who builds: GitHub’s workflow with its run, or nobody that others know', () => {
    expect(placeOf({ GITHUB_REPOSITORY: 'me/app' })).toEqual({ builder: LOCAL_BUILDER })
    expect(onGitHub).toEqual({
      builder: 'https://github.com/me/app/.github/workflows/release.yml@refs/tags/v1.2.3',
      source: 'git+https://github.com/me/app',
      run: 'https://github.com/me/app/actions/runs/7/attempts/2',
    })
  })
})
