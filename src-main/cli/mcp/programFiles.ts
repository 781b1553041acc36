import { basename, extname } from 'node:path'

const names = new Set(
  [
    'makefile gnumakefile justfile .justfile rakefile sconstruct sconscript cmakelists.txt build.ninja build.xml meson.build',
    'package.json .npmrc .yarnrc .yarnrc.yml .mcp.json .envrc .env .bashrc .bash_profile .profile .zshrc .zshenv .gitattributes',
    '.gitmodules .gitconfig taskfile.yml taskfile.yaml build.gradle settings.gradle pyproject.toml setup.py conftest.py',
    'dockerfile docker-compose.yml compose.yml claude.md agents.md gemini.md autorun.inf',
  ].flatMap((line) => line.split(' ')),
)

const folders = new Set(
  '.git .github .vscode .idea .claude .gemini .codex .cursor .opencode .husky .config node_modules'.split(' '),
)

const endings = new Set(
  '.sh .bash .zsh .fish .bat .cmd .ps1 .psm1 .py .pth .js .mjs .cjs .ts .pl .rb .lua .jar .exe .dll .so .dylib .desktop .mk'.split(
    ' ',
  ),
)

/** Security: other programs run a file of such a name, or take commands from it. */
export const isProgramFile = (path: string): boolean =>
  names.has(basename(path).toLowerCase()) ||
  endings.has(extname(path).toLowerCase()) ||
  path.split(/[\\/]/).some((part) => folders.has(part.toLowerCase()))
