import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { grantableRights } from '../src-shared/contract/steering.ts'
import { serverJsonSchema } from '../test/support/registrySchema.ts'
import { packageManifest } from './lib/npmPackage.mjs'
import { root } from './lib/process.mjs'

const serverJson = () => serverJsonSchema.parse(JSON.parse(readFileSync(join(root, 'server.json'), 'utf8')))

it('server.json is what the MCP registry takes', () => {
  expect(serverJson).not.toThrow()
})

it('server.json names the package, its version and its name in the registry as package.json does', () => {
  const { name, version, mcpName } = packageManifest()
  expect(serverJson()).toMatchObject({ name: mcpName, version, packages: [{ identifier: name, version }] })
})

it('server.json starts the agents’ server, and offers each right', () => {
  const [serve, allow] = serverJson().packages[0].packageArguments
  expect(serve).toEqual({ type: 'positional', value: 'mcp' })
  expect(allow).toMatchObject({ name: '--allow', choices: [...grantableRights] })
})
