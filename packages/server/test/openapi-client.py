"""Makes a client from the OpenAPI document of a running service, with nothing but the standard library, and uses it."""

import json
import sys
import urllib.parse
import urllib.request

base = sys.argv[1]


def operation(method, path, spec):
    def call(body=None, **values):
        target = path
        for parameter in spec["parameters"]:
            if parameter["in"] == "path":
                target = target.replace("{%s}" % parameter["name"], values.pop(parameter["name"]))
        if values:
            target += "?" + urllib.parse.urlencode(values)
        data = json.dumps(body).encode() if "requestBody" in spec else None
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(base + target, data, headers, method=method.upper())
        return json.load(urllib.request.urlopen(request))

    return call


class Client:
    def __init__(self, document):
        for path, methods in document["paths"].items():
            for method, spec in methods.items():
                setattr(self, spec["operationId"], operation(method, path, spec))


client = Client(json.load(urllib.request.urlopen(base + "/openapi.json")))
message = {"role": "user", "content": "Hi"}
client.createSession(body={"id": "python"})
record = {"kind": "message", "data": {"dialect": "openai-chat", "wire": message}}
client.appendRecords(id="python", body={"records": [record]})
print(client.getSession(id="python")["seq"])
print(client.check(body={"input": [message]})["verdict"])
print(len(client.readRecords(id="python", limit=5)["records"]))
