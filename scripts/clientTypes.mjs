/** `npm run client-types`: writes src-client/generated.ts, the types of the tools and events for `bridgedeck/client`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import prettier from 'prettier'
import { runnerImport } from 'vite'
import { root } from './lib/process.mjs'

export const generatedFile = join(root, 'src-client', 'generated.ts')

/** @param {string} text */
export const formatted = async (text) =>
  prettier.format(text, { ...(await prettier.resolveConfig(generatedFile)), filepath: generatedFile })

export const readGenerated = () => readFileSync(generatedFile, 'utf8')

if (process.argv[1] === import.meta.filename) {
  const { module } = await runnerImport(resolve(root, 'scripts/lib/clientTypes.ts'), {
    configFile: false,
    root,
    resolve: { alias: { '@shared': resolve(root, 'src-shared') } },
  })
  writeFileSync(generatedFile, await formatted(module.clientTypes()))
}
