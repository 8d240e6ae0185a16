"""nginx before several servers."""

import os
import pathlib

from programs import await_true, find, free_port, listens, require_running

# A request goes to another server where this one cannot be reached. nginx repeats no POST of which
# anything was sent, and, without a buffer for requests, no request whose body was begun.
CONFIGURATION = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx-errors.log;
events {{}}
http {{
    access_log off;
    {temporary}
    upstream underway {{
        {servers}
        keepalive 16;
        # Under load a server closes idle connections after 5 s; nginx must be sooner.
        keepalive_timeout 4s;
    }}
    server {{
        listen 127.0.0.1:{port};
        client_max_body_size 3m;
        location / {{
            proxy_pass http://underway;
            proxy_http_version 1.1;
            proxy_request_buffering off;
            proxy_next_upstream error timeout;
            proxy_connect_timeout 5s;
            proxy_read_timeout 60s;
            proxy_set_header Host $host;
            proxy_set_header Connection "";
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        }}
    }}
}}
"""


class Balancer:
    def __init__(self, programs, folder, ports):
        self.port = free_port()
        folder = pathlib.Path(folder)
        self.log_path = folder / "nginx-errors.log"
        (folder / "nginx.conf").write_text(CONFIGURATION.format(
            user="user root;" if os.geteuid() == 0 else "", folder=folder, port=self.port,
            # A server that was killed is asked again after a second.
            servers=" ".join(
                f"server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;" for port in ports),
            temporary=" ".join(f"{kind}_temp_path {folder}/{kind};" for kind in (
                "client_body", "proxy", "fastcgi", "uwsgi", "scgi"))), encoding="utf-8")
        with open(self.log_path, "ab") as log:
            self.process = programs.start(
                [find("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")], log)
        await_true(self.is_ready, "nginx")

    def is_ready(self):
        require_running(self.process, "nginx", self.log_path)
        return listens(self.port)
