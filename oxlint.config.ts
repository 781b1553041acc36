import { join } from 'node:path'
import { defineConfig, type DummyRuleMap } from 'oxlint'

/** What the page and the bridge may not do, however it is spelt. */
const dangerous = [
  {
    selector:
      ':matches(JSXAttribute[name.name="dangerouslySetInnerHTML"], Property[key.name="dangerouslySetInnerHTML"])',
    message: 'Text from files and machines is inert: render it as text.',
  },
  {
    selector:
      'AssignmentExpression[left.property.name=/^(innerHTML|outerHTML|srcdoc)$/], CallExpression[callee.property.name=/^(insertAdjacentHTML|setHTMLUnsafe|parseHTMLUnsafe)$/]',
    message: 'Text from files and machines is inert: set textContent.',
  },
  {
    selector:
      'ImportDeclaration[source.value=/^(node:)?child_process$/] ImportSpecifier[imported.name=/^exec(Sync)?$/]',
    message: 'exec goes through a shell; spawn the program with its arguments.',
  },
  {
    selector: 'Property[key.name="shell"][value.value=true]',
    message: 'No shell: spawn the program with its arguments.',
  },
]

/** Each has one place, where its conditions are checked. */
const onePlace = {
  openExternal: {
    selector: 'MemberExpression[property.name="openExternal"]',
    message: 'Only src-main/electron/security.ts opens links outside.',
  },
  window: {
    selector: 'NewExpression[callee.name="BrowserWindow"]',
    message: 'Only src-main/electron/window.ts makes windows.',
  },
}

/**
 * The rules of typescript-eslint's `strict-type-checked`, less no-unsafe-class-instance-assignment: tsgolint 7.0.2008 has
 * it, but Oxlint 1.94 does not know its name.
 */
const strictTypeChecked: DummyRuleMap = {
  'no-array-constructor': 'error',
  'no-unused-expressions': 'error',
  'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', reportVarsOnlyUsedAsTypes: true }],
  'no-useless-constructor': 'error',
  'no-var': 'error',
  'prefer-const': 'error',
  'prefer-rest-params': 'error',
  'prefer-spread': 'error',
  'typescript/await-thenable': 'error',
  'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
  'typescript/no-array-delete': 'error',
  'typescript/no-base-to-string': 'error',
  'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true, ignoreVoidOperator: true }],
  'typescript/no-deprecated': 'error',
  'typescript/no-duplicate-enum-values': 'error',
  'typescript/no-duplicate-type-constituents': 'error',
  'typescript/no-dynamic-delete': 'error',
  'typescript/no-empty-object-type': 'error',
  'typescript/no-explicit-any': 'error',
  'typescript/no-extra-non-null-assertion': 'error',
  'typescript/no-extraneous-class': 'error',
  'typescript/no-floating-promises': 'error',
  'typescript/no-for-in-array': 'error',
  'typescript/no-generated-empty-object-type': 'error',
  'typescript/no-implied-eval': 'error',
  'typescript/no-invalid-void-type': 'error',
  'typescript/no-meaningless-void-operator': 'error',
  'typescript/no-misused-new': 'error',
  'typescript/no-misused-promises': 'error',
  'typescript/no-misused-spread': 'error',
  'typescript/no-mixed-enums': 'error',
  'typescript/no-namespace': 'error',
  'typescript/no-non-null-asserted-nullish-coalescing': 'error',
  'typescript/no-non-null-asserted-optional-chain': 'error',
  'typescript/no-non-null-assertion': 'error',
  'typescript/no-redundant-type-constituents': 'error',
  'typescript/no-require-imports': 'error',
  'typescript/no-this-alias': 'error',
  'typescript/no-unnecessary-boolean-literal-compare': 'error',
  'typescript/no-unnecessary-condition': 'error',
  'typescript/no-unnecessary-template-expression': 'error',
  'typescript/no-unnecessary-type-arguments': 'error',
  'typescript/no-unnecessary-type-assertion': 'error',
  'typescript/no-unnecessary-type-constraint': 'error',
  'typescript/no-unnecessary-type-conversion': 'error',
  'typescript/no-unnecessary-type-parameters': 'error',
  'typescript/no-unsafe-argument': 'error',
  'typescript/no-unsafe-assignment': 'error',
  'typescript/no-unsafe-call': 'error',
  'typescript/no-unsafe-declaration-merging': 'error',
  'typescript/no-unsafe-enum-assignment': 'error',
  'typescript/no-unsafe-enum-comparison': 'error',
  'typescript/no-unsafe-function-type': 'error',
  'typescript/no-unsafe-member-access': 'error',
  'typescript/no-unsafe-return': 'error',
  'typescript/no-unsafe-unary-minus': 'error',
  'typescript/no-useless-default-assignment': 'error',
  'typescript/no-wrapper-object-types': 'error',
  'typescript/only-throw-error': 'error',
  'typescript/prefer-as-const': 'error',
  'typescript/prefer-literal-enum-member': 'error',
  'typescript/prefer-namespace-keyword': 'error',
  'typescript/prefer-promise-reject-errors': 'error',
  'typescript/prefer-reduce-type-parameter': 'error',
  'typescript/prefer-return-this-type': 'error',
  'typescript/related-getter-setter-pairs': 'error',
  'typescript/restrict-plus-operands': [
    'error',
    {
      allowAny: false,
      allowBoolean: false,
      allowNullish: false,
      allowNumberAndString: false,
      allowRegExp: false,
    },
  ],
  'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  'typescript/return-await': ['error', 'error-handling-correctness-only'],
  'typescript/triple-slash-reference': 'error',
  'typescript/unbound-method': 'error',
  'typescript/unified-signatures': 'error',
  'typescript/use-unknown-in-catch-callback-variable': 'error',
}

export default defineConfig({
  plugins: ['typescript', 'react'],
  jsPlugins: [join(import.meta.dirname, 'scripts/lint/plugin.mjs')],
  categories: { correctness: 'off' },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['out/**', 'dist/**', 'node_modules/**', 'test-results/**'],
  rules: { 'project/literal-spread': 'error' },
  overrides: [
    {
      files: ['**/*.{ts,tsx}'],
      rules: { ...strictTypeChecked, eqeqeq: 'error', 'no-eval': 'error' },
    },
    {
      files: ['src-*/**/*.{ts,tsx}'],
      rules: {
        'project/imports': 'error',
        'project/restricted-syntax': ['error', ...dangerous, ...Object.values(onePlace)],
      },
    },
    {
      files: ['src-main/electron/security.ts'],
      rules: { 'project/restricted-syntax': ['error', ...dangerous, onePlace.window] },
    },
    {
      files: ['src-main/electron/window.ts'],
      rules: { 'project/restricted-syntax': ['error', ...dangerous, onePlace.openExternal] },
    },
    {
      files: ['src-shared/**/*.ts'],
      excludeFiles: ['**/*.test.ts'],
      rules: {
        'no-restricted-globals': [
          'error',
          'window',
          'document',
          'navigator',
          'localStorage',
          'process',
          'Buffer',
          'require',
        ],
      },
    },
    {
      files: ['src-renderer/**/*.{ts,tsx}'],
      rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
    },
    {
      files: ['**/*.{js,mjs}'],
      env: { node: true },
      rules: {
        'no-undef': 'error',
        // Node.js 20 has none of these, but no-undef takes them as defined.
        'no-restricted-globals': [
          'error',
          'AsyncDisposableStack',
          'DisposableStack',
          'Float16Array',
          'Iterator',
          'SuppressedError',
        ],
        'no-unused-vars': ['error', { ignoreRestSiblings: true }],
        eqeqeq: 'error',
      },
    },
  ],
})
