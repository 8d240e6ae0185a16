#include "CTransfer.h"

#if defined(__linux__)

#include <curl/curl.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/// Connections kept for the next request, and connections to one host at a time.
enum { idle_connections_max = 32, host_connections_max = 32 };

struct underway_loop {
    CURLM *multi;
};

struct underway_transfer {
    CURL *easy;
    CURLM *multi;
    struct curl_slist *headers;
    void *context;
    underway_head_callback on_head;
    underway_body_callback on_body;
    char detail[CURL_ERROR_SIZE];
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
/// The file of certificate authorities that takes the place of the system's; NULL for none.
static char *authorities;

static void initialize(void) {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    const char *file = getenv("SSL_CERT_FILE");
    authorities = file && file[0] ? strdup(file) : NULL;
}

underway_loop *underway_loop_make(void) {
    pthread_once(&once, initialize);
    underway_loop *loop = calloc(1, sizeof *loop);
    if (!loop) {
        return NULL;
    }
    loop->multi = curl_multi_init();
    if (!loop->multi) {
        free(loop);
        return NULL;
    }
    curl_multi_setopt(loop->multi, CURLMOPT_MAXCONNECTS, (long)idle_connections_max);
    curl_multi_setopt(loop->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)host_connections_max);
    return loop;
}

void underway_loop_enter_thread(void) {
    // A library of TLS under libcurl may write without MSG_NOSIGNAL.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

void underway_loop_free(underway_loop *loop) {
    curl_multi_cleanup(loop->multi);
    free(loop);
}

void underway_loop_wake(underway_loop *loop) { curl_multi_wakeup(loop->multi); }

void underway_loop_wait(underway_loop *loop, int milliseconds) {
    curl_multi_poll(loop->multi, NULL, 0, milliseconds, NULL);
}

void underway_loop_perform(underway_loop *loop) {
    int running = 0;
    curl_multi_perform(loop->multi, &running);
}

underway_transfer *underway_loop_next_done(underway_loop *loop, int *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(loop->multi, &left))) {
        if (message->msg == CURLMSG_DONE) {
            char *transfer = NULL;
            *code = (int)message->data.result;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
            return (underway_transfer *)transfer;
        }
    }
    return NULL;
}

static size_t take_head(char *bytes, size_t size, size_t count, void *context) {
    underway_transfer *transfer = context;
    size_t total = size * count;
    return transfer->on_head(transfer->context, (unsigned char *)bytes, total) ? total : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    underway_transfer *transfer = context;
    size_t total = size * count;
    switch (transfer->on_body(transfer->context, (unsigned char *)bytes, total)) {
    case underway_body_taken:
        return total;
    case underway_body_pause:
        return CURL_WRITEFUNC_PAUSE;
    default:
        return total == 0 ? 1 : 0;
    }
}

/// Keeps connections from programs that the app starts.
static int prepare_socket(void *context, curl_socket_t descriptor, curlsocktype purpose) {
    (void)context;
    (void)purpose;
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 ? CURL_SOCKOPT_OK : CURL_SOCKOPT_ERROR;
}

static int set_headers(underway_transfer *transfer, const underway_request *request) {
    for (size_t index = 0; index < request->header_count; index++) {
        struct curl_slist *longer =
            curl_slist_append(transfer->headers, request->headers[index]);
        if (!longer) {
            return 0;
        }
        transfer->headers = longer;
    }
    return 1;
}

static void set_method(CURL *easy, const underway_request *request) {
    if (request->body) {
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_count);
        curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request->body);
    }
    int is_head = request->method[0] == 'H';
    if (is_head) {
        curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    } else {
        curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    }
}

static void set_bounds(CURL *easy, const underway_request *request) {
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, request->idle_seconds);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, prepare_socket);
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
    // A transfer that is given up does not wait for the name server.
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
}

underway_transfer *underway_transfer_start(underway_loop *loop, const underway_request *request) {
    underway_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) {
        return NULL;
    }
    transfer->context = request->context;
    transfer->on_head = request->on_head;
    transfer->on_body = request->on_body;
    transfer->easy = curl_easy_init();
    if (!transfer->easy || !set_headers(transfer, request)) {
        underway_transfer_free(transfer);
        return NULL;
    }
    CURL *easy = transfer->easy;
    curl_easy_setopt(easy, CURLOPT_URL, request->url);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, (char *)transfer);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_head);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->detail);
    if (authorities) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, authorities);
    }
    set_method(easy, request);
    set_bounds(easy, request);
    if (curl_multi_add_handle(loop->multi, easy) != CURLM_OK) {
        underway_transfer_free(transfer);
        return NULL;
    }
    transfer->multi = loop->multi;
    return transfer;
}

void underway_transfer_resume(underway_transfer *transfer) {
    curl_easy_pause(transfer->easy, CURLPAUSE_CONT);
}

void underway_transfer_free(underway_transfer *transfer) {
    if (transfer->multi) {
        curl_multi_remove_handle(transfer->multi, transfer->easy);
    }
    if (transfer->easy) {
        curl_easy_cleanup(transfer->easy);
    }
    curl_slist_free_all(transfer->headers);
    free(transfer);
}

int underway_is_timeout(int code) { return code == CURLE_OPERATION_TIMEDOUT; }

int underway_is_not_http(int code) {
    return code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY ||
           code == CURLE_GOT_NOTHING || code == CURLE_RECV_ERROR;
}

const char *underway_transfer_detail(underway_transfer *transfer) { return transfer->detail; }

int underway_is_tls(int code) {
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CONNECT_ERROR ||
           code == CURLE_SSL_CACERT_BADFILE;
}

const char *underway_reason(int code) { return curl_easy_strerror((CURLcode)code); }

#endif
