"""Makes the border of the C64 red and reads it back. Start `bridgedeck serve --allow change` first; nothing to install."""
import json
import os
from urllib.request import Request, urlopen

URL = os.environ.get("BRIDGEDECK_URL", "http://127.0.0.1:6464")
HEADERS = {
    "Authorization": "Bearer " + os.environ["BRIDGEDECK_TOKEN"],
    "Bridgedeck-Name": "border.py",
}


def bridgedeck(operation, **arguments):
    body = json.dumps(arguments).encode()
    with urlopen(Request(f"{URL}/api/{operation}", body, HEADERS)) as answer:
        return json.load(answer)["data"]


bridgedeck("memory/write", address="$d020", bytes="02", bank="cpu")
border = bridgedeck("memory/read", address="$d020", length=1, bank="io")
print("The border is red." if border["bytes"][1] == "2" else "The border is not red.")
