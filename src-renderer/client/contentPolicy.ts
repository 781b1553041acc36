// Imported first, as libraries have to know of our content security policy before they run.

const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content')

Object.assign(globalThis, {
  // get-nonce looks here for the <style> that the scroll lock of Radix dialogs makes.
  __webpack_nonce__: nonce ?? undefined,
  // zod looks here for its configuration; with its JIT on it tries `new Function` when it builds a schema.
  __zod_globalConfig: { jitless: true },
})
