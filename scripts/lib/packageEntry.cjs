#!/usr/bin/env node
/** `bridgedeck` of the npm package. An old Node has to understand every line of it, to say that it is too old. */
'use strict'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 14)) {
  process.stderr.write(
    'bridgedeck: This is Node ' +
      process.versions.node +
      '; Bridgedeck needs Node 22.14 or newer. Get it from your system or nodejs.org.\n',
  )
  process.exit(1)
}
// The folder of the call that npm was asked for; a script of another package runs in that package's folder.
delete process.env.INIT_CWD
require('./out/main/cli.cjs')
