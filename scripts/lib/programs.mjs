/** The Node programs of the app: each becomes out/main/<name>.cjs with everything in it but native modules. */
export const programs = {
  bridge: 'src-main/bridge.ts',
  builtinWorker: 'src-main/machine/builtin/worker.ts',
  regexWorker: 'src-main/regex/worker.ts',
  recorderWorker: 'src-main/recorder/worker.ts',
  labelsWorker: 'src-main/labels/worker.ts',
  projectsWorker: 'src-main/projects/worker/worker.ts',
  cli: 'src-main/cli.ts',
  runCommandLine: 'src-main/cli/runCommandLine.ts',
}
