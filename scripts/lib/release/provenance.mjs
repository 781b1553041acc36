/** Provenance of a release: an in-toto statement with a SLSA provenance v1 predicate (https://slsa.dev/spec/v1.0/provenance). */

/** The parameters are explained in docs/releasing.md. */
const BUILD_TYPE = 'urn:bridgedeck:npm-run-release:1'

/** What made the release when GitHub Actions did not. */
export const LOCAL_BUILDER = 'urn:bridgedeck:local-build'

/**
 * @param {NodeJS.ProcessEnv} environment
 * @returns {{ builder: string, source?: string, run?: string }} URIs of who builds, what is built, and this run
 */
export function placeOf({ GITHUB_ACTIONS, GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_WORKFLOW_REF, ...others }) {
  if (GITHUB_ACTIONS !== 'true') return { builder: LOCAL_BUILDER }
  const repository = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`
  return {
    builder: `${GITHUB_SERVER_URL}/${GITHUB_WORKFLOW_REF}`,
    source: `git+${repository}`,
    run: `${repository}/actions/runs/${others.GITHUB_RUN_ID}/attempts/${others.GITHUB_RUN_ATTEMPT}`,
  }
}

/**
 * Without times: two builds of one commit at one place give the same bytes.
 * @param {object} release `files` with names and SHA-256, `tools` the versions of the programs that built it
 */
export function provenance({ version, files, commit, lockDigest, place, isTested, tools }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(({ name, digest }) => ({ name, digest: { sha256: digest } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      bridgedeck_note: 'This statement is not signed. A signed one comes from GitHub: gh attestation verify FILE.',
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { script: 'npm run release', version, tested: isTested },
        resolvedDependencies: [
          { name: 'source', ...(place.source && { uri: place.source }), digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lockDigest } },
          ...Object.entries(tools).map(([name, toolVersion]) => ({ name, uri: `pkg:npm/${name}@${toolVersion}` })),
        ],
      },
      runDetails: {
        builder: { id: place.builder },
        ...(place.run && { metadata: { invocationId: place.run } }),
      },
    },
  }
}
