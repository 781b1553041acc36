@"%~dp0node.exe" "%~dp0command-line\bridgedeck.cjs" %*
