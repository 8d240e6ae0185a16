"""The bucket: the policy, the order and the headers, against moto."""

import logging
import threading
import unittest

import boto3
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

from world import World, get


class Bucket(unittest.TestCase):
    def setUp(self):
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.world = World()
        self.addCleanup(self.world.close)
        # What was written, in its order.
        self.puts = []
        application = DomainDispatcherApplication(create_backend_app)

        def recording(environ, start_response):
            if environ["REQUEST_METHOD"] == "PUT":
                self.puts.append(environ["PATH_INFO"])
            return application(environ, start_response)

        server = make_server("127.0.0.1", 0, recording, threaded=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        self.endpoint = f"http://127.0.0.1:{server.server_port}"
        self.access = dict(
            AWS_ENDPOINT_URL=self.endpoint, AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test",
            AWS_DEFAULT_REGION="us-east-1", AWS_EC2_METADATA_DISABLED="true")
        self.client = boto3.client(
            "s3", endpoint_url=self.endpoint, aws_access_key_id="test",
            aws_secret_access_key="test", region_name="us-east-1")

    def test_a_device_follows_what_is_pushed_into_an_open_bucket(self):
        world, base = self.world, f"{self.endpoint}/my-content"
        world.run("make-bucket", **self.access)
        world.run("push-s3", **self.access)
        self.assertEqual(self.puts[-1], "/my-content/content/manifest.json")
        objects = [i for i, path in enumerate(self.puts) if "/content/objects/" in path]
        others = [i for i, path in enumerate(self.puts) if "/content/blueprints/" in path]
        self.assertTrue(objects and others and max(objects) < min(others))
        self.assertFalse([p for p in self.puts if p.endswith((".gz", ".br")) or ".underway" in p])

        status, headers, body = get(f"{base}/content/manifest.json")
        self.assertEqual((status, body), (200, (world.here / "release/manifest.json").read_bytes()))
        self.assertEqual(headers["Content-Type"], "application/json")
        self.assertEqual(headers["Cache-Control"], "no-cache")
        status, headers, _ = get(self.endpoint + self.puts[objects[0]])
        self.assertEqual(status, 200)
        self.assertEqual(headers["Content-Type"], "application/octet-stream")
        self.assertIn("immutable", headers["Cache-Control"])
        _, headers, _ = get(f"{base}/content/blueprints/en.json")
        self.assertEqual(headers["Content-Type"], "application/json")

        self.assertIn("Installed release 1", world.sync(f"{base}/content"))
        for number in range(2, 9):
            world.edit(number)
        world.run("push-s3", **self.access)
        self.assertIn("Installed release 8", world.sync(f"{base}/content"))
        world.run("prune-s3", **self.access)
        listed = self.client.list_objects_v2(Bucket="my-content", Prefix="content/objects/")
        self.assertEqual(
            {entry["Key"].rsplit("/", 1)[1] for entry in listed["Contents"]},
            {p.name for p in (world.here / "release").rglob("objects/*/*") if not p.suffix})

        # A signed release: the timestamp comes last, and a device that pins the root follows.
        world.run("trust-init")
        world.run("push-s3", **self.access)
        self.assertEqual(self.puts[-1], "/my-content/content/metadata/timestamp.json")
        root = world.here / "release/metadata/1.root.json"
        self.assertIn("Installed release 8", world.sync(f"{base}/content", "tablet", root))
        _, headers, _ = get(f"{base}/content/metadata/1.root.json")
        self.assertIn("immutable", headers["Cache-Control"])
        _, headers, _ = get(f"{base}/content/metadata/timestamp.json")
        self.assertEqual(headers["Cache-Control"], "no-cache")

        # The policy opens what is under content/, and nothing else.
        self.client.put_object(Bucket="my-content", Key="private", Body=b"ours")
        self.assertEqual(get(f"{base}/private")[0], 403)


if __name__ == "__main__":
    unittest.main()
